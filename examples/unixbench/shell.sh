#!/bin/sh
# What UnixBench's shell1 does, with a text of our own: sort 20 copies of it, dump that and sort the dump, and count the lines that have a word.
set -eu
cd /tmp
text="$(seq 1 40 | while read -r i; do echo "$((i * 7919 % 101)) lines of the text are sorted, and then the dump"; done)"
copies="$(seq 1 20 | while read -r _; do echo "$text"; done)"
round=0
while [ "$round" -lt "$ROUNDS" ]; do
  echo "$copies" | sort > sorted
  od sorted | sort -n -k 1 > dump
  grep the sorted | tee found | wc > counted
  rm sorted dump found counted
  round=$((round + 1))
done
