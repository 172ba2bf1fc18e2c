#!/bin/sh
# Keeps images that change under one tag, each by its id, so that the next one can be measured against it.
#   kept-image.sh keep IMAGE PLACE      keeps the image, and prints "now=ID"; and "before=ID" where another one was measured last
#   kept-image.sh measured IMAGE PLACE  from now on, the next one is measured against this (a tag, or an id that was printed)
# PLACE is a folder, /srv/images/app, or a repository of a registry, registry.example/team/app-kept.
# Both images are in the engine afterwards. Images that were kept and are no longer wanted can be removed, except for the one measured last.
set -eu

fail() {
  echo "kept-image.sh: $*" >&2
  exit 1
}

case "$#:${1-}" in
3:keep | 3:measured) ;;
*) fail "give keep or measured, an image and a place" ;;
esac
image=$2 place=$3

id_of() {
  docker image inspect --format '{{.Id}}' "$1" 2>/dev/null
}

now=$(id_of "$image") || fail "the engine has no image $image; build or pull it before"
hex=${now#sha256:}

keep_in_folder() {
  mkdir -p "$place"
  [ -e "$place/$hex.tar" ] && return
  docker save --output "$place/$hex.tar.new" "$now"
  mv "$place/$hex.tar.new" "$place/$hex.tar" # whole, or not there
}

measured_in_folder() {
  [ -e "$place/measured" ] || return 0
  id=$(cat "$place/measured")
  id_of "$id" >/dev/null || docker load --quiet --input "$place/${id#sha256:}.tar" >&2
  id_of "$id" || fail "$place does not hold the image $id any more; remove $place/measured to begin anew"
}

push() {
  docker tag "$now" "$place:$1"
  docker push --quiet "$place:$1" >&2
}

measured_in_registry() {
  if told=$(docker pull --quiet "$place:measured" 2>&1); then
    id_of "$place:measured"
  else
    case $told in
    *"not found"* | *"manifest unknown"*) ;; # none was measured yet
    *) fail "$place: $told" ;;
    esac
  fi
}

case $1:$place in
keep:/* | keep:./*)
  keep_in_folder
  before=$(measured_in_folder)
  ;;
keep:*)
  push "$hex"
  before=$(measured_in_registry)
  ;;
measured:/* | measured:./*)
  keep_in_folder
  echo "$now" >"$place/measured.new"
  mv "$place/measured.new" "$place/measured"
  exit
  ;;
measured:*)
  push measured
  exit
  ;;
esac

echo "now=$now"
if [ -n "$before" ] && [ "$before" != "$now" ]; then echo "before=$before"; fi
