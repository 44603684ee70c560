// The texts around the tests.
#include "runners/jcstress/project.h"

#include "litmus/text/ascii.h"
#include "litmus/text/error.h"
#include "litmus/text/file.h"
#include "runners/jcstress/javac.h"
#include "runners/process.h"
#include "runners/temporary_directory.h"

#include <fmt/format.h>

#include <filesystem>
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
        <artifactId>maven-antrun-plugin</artifactId>
        <version>3.1.0</version>
        <executions>
          <execution>
            <id>every test is listed</id>
            <phase>process-classes</phase>
            <goals>
              <goal>run</goal>
            </goals>
            <configuration>
              <target>
                <ant antfile="check.xml" dir="${{project.basedir}}" inheritAll="false"/>
              </target>
            </configuration>
          </execution>
        </executions>
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

// jcstress's processor leaves out what it does not understand, and javac says nothing.
constexpr std::string_view check = R"(<?xml version="1.0" encoding="UTF-8"?>
<project name="check" default="listed">
  <description>Fails unless jcstress's processor has listed every test: it leaves some out without a word.</description>
  <target name="listed">
    <loadfile property="list" srcFile="target/classes/META-INF/TestList"/>
{tests}  </target>
</project>
)";

constexpr std::string_view check_of_one =
    R"(    <fail message="jcstress's processor left out {name}">
      <condition>
        <not>
          <contains string="${{list}}" substring="{entry}"/>
        </not>
      </condition>
    </fail>
)";

constexpr std::string_view readme = R"(# jcstress tests

Written by `{command}`.

    mvn -q package
    java -jar target/jcstress.jar

runs them all with the java on PATH; `-t CLASS` runs one, `-m quick` is shorter. An outcome that the model forbids is
graded FORBIDDEN and makes jcstress exit with 1; its description says why it is forbidden. The build fails where
jcstress's processor leaves a test out (`check.xml`). jcstress itself runs no test with more threads than the machine has
processors.

| test | class |
|---|---|
)";

constexpr std::string_view source_folder = "src/main/java";

/// One line, no bar that a table would take for its own.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '\n' || c == '\r' ? " " : c == '|' ? "\\|" : std::string{c};
  return out;
}

} // namespace

void Members::add(const Prepared& test, const std::string& file) {
  constexpr std::size_t longest = 200; // a file's name has 255 bytes; jcstress adds to the class's
  if (test.class_name.size() > longest)
    throw Unsupported(fmt::format("a jcstress class of {} characters, after the test's name: there "
                                  "are no files of more than {}",
                                  test.class_name.size(), longest));
  // Where file names do not tell capitals apart, two classes that differ in these alone are one
  // file.
  const auto [at, fresh] = files_.emplace(text::lower_case(test.class_name), file);
  if (!fresh)
    throw InputError(fmt::format("{}: error: the test of {} is called {}, too\n  hint: give one of "
                                 "them another name",
                                 file, at->second, test.name));
}

std::vector<ProjectFile> project(std::span<const Graded> tests, const std::string& command) {
  std::vector<ProjectFile> files;
  files.push_back({"pom.xml", fmt::format(pom, fmt::arg("version", jcstress_version))});
  std::string table = fmt::format(readme, fmt::arg("command", cell(command))), checks;
  std::set<std::string> classes, results;
  for (const Graded& graded : tests) {
    const Prepared& test = graded.test;
    THINAIR_CHECK(classes.insert(test.class_name).second, "two tests of one class in a project");
    table += fmt::format("| {} | `{}.{}` |\n", cell(test.name), package, test.class_name);
    const std::string name = fmt::format("{}.{}", package, test.class_name);
    checks +=
        fmt::format(check_of_one, fmt::arg("name", name), fmt::arg("entry", list_entry(name)));
    files.push_back({fmt::format("{}/{}/{}.java", source_folder, package, test.class_name),
                     source_of(test, graded.grades)});
    files.push_back({fmt::format("tests/{}.litmus", test.class_name), graded.litmus});
    const auto result = result_source(test);
    const std::string own = result_class(test);
    if (result && results.insert(own).second)
      files.push_back({fmt::format("{}/{}/{}.java", source_folder, package, own), *result});
  }
  files.push_back({"check.xml", fmt::format(check, fmt::arg("tests", checks))});
  files.push_back({"README.md", table});
  return files;
}

std::map<std::string, std::string> compile_project(const std::string& directory,
                                                   std::span<const Graded> tests,
                                                   const Jvm& compiler, const Jars& jars) {
  const TemporaryDirectory work;
  Compilation compilation{work.path(), {}, {}};
  std::set<std::string> sources; // a result class serves several tests
  const auto folder = std::filesystem::absolute(directory) / source_folder / package;
  for (const Graded& graded : tests) {
    compilation.tests.push_back(graded.test.class_name);
    sources.insert((folder / (graded.test.class_name + ".java")).string());
    if (result_source(graded.test))
      sources.insert((folder / (result_class(graded.test) + ".java")).string());
  }
  compilation.sources.assign(sources.begin(), sources.end());
  return compile(compilation, compiler, jars).errors;
}

void write_files(const std::string& directory, std::span<const ProjectFile> files) {
  for (const ProjectFile& file : files) {
    const auto path = std::filesystem::path(directory) / file.path;
    text::make_folders(path.parent_path().string());
    text::write_file(path.string(), file.text, text::Flush::no);
  }
}

} // namespace thinair::runners::jcstress
