# thinair on Debian 12: built in one stage, installed from its package in the other.
#   docker build -t thinair .
#   docker run --rm -v "$PWD:/data" thinair behaviours --model jam21 test.litmus
FROM debian:12 AS build
COPY . /source
WORKDIR /source
RUN scripts/setup && apt-get install -y -q --no-install-recommends dpkg-dev file \
 && cmake --preset release -DTHINAIR_TESTS=OFF -DTHINAIR_BENCH=OFF \
 && cmake --build --preset release \
 && cpack --config build/release/CPackConfig.cmake -B /packages

FROM debian:12
COPY --from=build /packages/thinair_*.deb /tmp/
RUN apt-get update -q && apt-get install -y -q --no-install-recommends /tmp/thinair_*.deb \
 && rm -rf /tmp/thinair_*.deb /var/lib/apt/lists/* \
 && useradd --create-home thinair
USER thinair
WORKDIR /data
ENTRYPOINT ["thinair"]
CMD ["help"]
