// The texts around the tests.
#include "runners/jcstress/project.h"

#include "litmus/text/error.h"
#include "runners/jcstress/jvm.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>

namespace thinair::runners::jcstress {
namespace {

// The processor is named because javac of JDK 23 and later does not look for one.
constexpr std::string_view pom = R"(<?xml version="1.0" encoding="UTF-8"?>
<project xmlns="http://maven.apache.org/POM/4.0.0"
         xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
         xsi:schemaLocation="http://maven.apache.org/POM/4.0.0 http://maven.apache.org/xsd/maven-4.0.0.xsd">
  <modelVersion>4.0.0</modelVersion>
  <groupId>litmus</groupId>
  <artifactId>litmus-tests</artifactId>
  <version>1</version>
  <packaging>jar</packaging>

  <properties>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
    <maven.compiler.release>11</maven.compiler.release>
    <jcstress.version>{version}</jcstress.version>
  </properties>

  <dependencies>
    <dependency>
      <groupId>org.openjdk.jcstress</groupId>
      <artifactId>jcstress-core</artifactId>
      <version>${{jcstress.version}}</version>
    </dependency>
  </dependencies>

  <build>
    <finalName>jcstress</finalName>
    <plugins>
      <plugin>
        <groupId>org.apache.maven.plugins</groupId>
        <artifactId>maven-compiler-plugin</artifactId>
        <version>3.11.0</version>
        <configuration>
          <annotationProcessors>
            <annotationProcessor>org.openjdk.jcstress.infra.processors.JCStressTestProcessor</annotationProcessor>
          </annotationProcessors>
        </configuration>
      </plugin>
      <plugin>
        <groupId>org.apache.maven.plugins</groupId>
        <artifactId>maven-shade-plugin</artifactId>
        <version>3.5.1</version>
        <executions>
          <execution>
            <phase>package</phase>
            <goals>
              <goal>shade</goal>
            </goals>
            <configuration>
              <createDependencyReducedPom>false</createDependencyReducedPom>
              <transformers>
                <transformer implementation="org.apache.maven.plugins.shade.resource.ManifestResourceTransformer">
                  <mainClass>org.openjdk.jcstress.Main</mainClass>
                </transformer>
                <transformer implementation="org.apache.maven.plugins.shade.resource.AppendingTransformer">
                  <resource>META-INF/TestList</resource>
                </transformer>
              </transformers>
            </configuration>
          </execution>
        </executions>
      </plugin>
    </plugins>
  </build>
</project>
)";

constexpr std::string_view readme = R"(# jcstress tests

Written by `{command}`.

    mvn -q package
    java -jar target/jcstress.jar

runs them all with the java on PATH; `-t CLASS` runs one, `-m quick` is shorter. An outcome that the model forbids is
graded FORBIDDEN and makes jcstress exit with 1; its description says why it is forbidden.

| test | class |
|---|---|
)";

/// One line, no bar that a table would take for its own.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '\n' || c == '\r' ? " " : c == '|' ? "\\|" : std::string{c};
  return out;
}

} // namespace

std::vector<ProjectFile> project(std::span<const Graded> tests, const std::string& command) {
  std::vector<ProjectFile> files;
  files.push_back({"pom.xml", fmt::format(pom, fmt::arg("version", jcstress_version))});
  std::string table = fmt::format(readme, fmt::arg("command", cell(command)));
  std::set<std::string> classes, results;
  for (const Graded& graded : tests) {
    const Prepared& test = graded.test;
    if (!classes.insert(test.class_name).second)
      throw InputError(fmt::format("error: two tests are called {}", test.name));
    table += fmt::format("| {} | `{}.{}` |\n", cell(test.name), package, test.class_name);
    files.push_back({fmt::format("src/main/java/{}/{}.java", package, test.class_name),
                     source_of(test, graded.grades)});
    files.push_back({fmt::format("tests/{}.litmus", test.class_name), graded.litmus});
    const auto result = result_source(test.slots.size());
    const std::string name = result_class(test.slots.size());
    if (result && results.insert(name).second)
      files.push_back({fmt::format("src/main/java/{}/{}.java", package, name), *result});
  }
  for (const std::string& name : results)
    if (classes.contains(name))
      throw InputError(
          fmt::format("error: a test is called {}, as the class of its results", name));
  files.push_back({"README.md", table});
  return files;
}

void write_files(const std::string& directory, std::span<const ProjectFile> files) {
  for (const ProjectFile& file : files) {
    const auto path = std::filesystem::path(directory) / file.path;
    std::error_code error;
    std::filesystem::create_directories(path.parent_path(), error);
    std::ofstream out(path, std::ios::binary);
    out << file.text;
    out.close();
    if (!out) throw InputError(fmt::format("error: {}: {}", path.string(), std::strerror(errno)));
  }
}

} // namespace thinair::runners::jcstress
