#!/bin/sh
# Makes the two font files beside this script from Debian's fonts-dejavu-core (2.37) with fonttools (pip install fonttools).
# Kerning and ligatures are left out on purpose: a text is then exactly as wide as the sum of its advances, which is
# what ../font.ts measures, whatever renderer draws it.
set -eu
cd "$(dirname "$0")"
for style in DejaVuSans DejaVuSans-Bold; do
  pyftsubset "/usr/share/fonts/truetype/dejavu/$style.ttf" --output-file="$style.ttf" \
    --unicodes='U+0020-007E,U+00A0-017F,U+0370-03FF,U+0400-045F,U+0490-0491,U+2010-2027,U+202F,U+2030,U+2032-2033,U+2039-203A,U+2070-209C,U+20AC,U+2122,U+2126,U+2190-2195,U+2206,U+2212,U+221A,U+221E,U+2248,U+2260,U+2264-2265,U+25A0-25A1,U+25B2,U+25BC,U+25CF,U+FFFD' \
    --layout-features='' --no-hinting --notdef-outline --name-IDs='0,1,2,3,4,5,6,13' --drop-tables+=FFTM,GPOS,GSUB,GDEF,kern,MATH,gasp
done
