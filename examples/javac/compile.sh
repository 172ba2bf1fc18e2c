#!/bin/sh
# Compiles the tree with the compiler that is part of the runtime: the JRE holds it as a module.
set -eu
java=$(command -v java || ls -d /usr/lib/jvm/*/bin/java)
cd /tmp/joulediff-javac
"$java" -m jdk.compiler/com.sun.tools.javac.Main -nowarn -Xlint:none -d out @files
echo "compiled $(ls out | wc -l) classes"
