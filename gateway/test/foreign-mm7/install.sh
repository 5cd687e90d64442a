#!/bin/sh
# Installs the readers of MM7 requests that foreign-parsers.test.ts runs: Python's lxml, and SAAJ 3.0.4 by Maven.
# Needs python3 with venv, a JDK 17 or later, and mvn: apt-get install python3-venv default-jdk-headless maven
set -eu
here=$(cd "$(dirname "$0")" && pwd)
target=${MM7_READERS:-/opt/mm7-readers}
mkdir -p "$target"
python3 -m venv "$target/python"
"$target/python/bin/pip" install --quiet lxml==6.1.3
mvn -q -B -f "$here/pom.xml" dependency:copy-dependencies -DoutputDirectory="$target/saaj"
echo "installed in $target"
