import { shellWord } from '../../text/shell.ts';

// biome-ignore lint/suspicious/noTemplateCurlyInString: the shell's own
const PARENT = '${path%/*}';

// biome-ignore lint/suspicious/noTemplateCurlyInString: dpkg's own
const DPKG_FIELDS = '${Package} ${Version}\\n';

/** Prefix of the lines that name the part that follows. */
export const MARK = '@@joulediff ';

/**
 * Looks around in a place and prints what the kernel tells there. Whatever has `sh` can run it: what no built-in does (`date`, `getconf`) is
 * left out where it is missing. What may take long comes after `end`, and `all` after that. What programs are made of follows (`lookAt`). /proc/self is the shell's own, since it opens the files itself.
 */
const SCRIPT = String.raw`
part() { printf '\n${MARK}%s\n' "$1"; }
show() { [ -r "$1" ] && while IFS= read -r line || [ -n "$line" ]; do printf '%s\n' "$line"; done < "$1"; }
exec 2>/dev/null
for file in status limits mountinfo stat; do part "$file"; show "/proc/self/$file"; done
part kernel; show /proc/sys/kernel/osrelease
part hugepages; show /sys/kernel/mm/transparent_hugepage/enabled
part swaps; show /proc/swaps
part workdir; pwd -P
part timezone; date +%Z%z
part libc; getconf GNU_LIBC_VERSION || ldd --version 2>&1 || for file in /lib64/ld-linux*.so.2 /lib/ld-linux*.so.*; do "$file" --version && break; done
part loader; for file in /lib/ld-musl-*.so.1 /lib64/ld-linux*.so.2 /lib/ld-linux*.so.*; do [ -e "$file" ] && printf '%s\n' "$file"; done
part environment; tr '\n\0' '\001\n' < /proc/$$/environ || { part exports; export -p; }
part groups
while IFS=: read -r number name path; do
  folder=/sys/fs/cgroup/$name
  [ -n "$name" ] || folder=/sys/fs/cgroup
  while :; do
    for file in memory.max memory.swap.max cpu.max pids.max memory.limit_in_bytes memory.memsw.limit_in_bytes cpu.cfs_quota_us cpu.cfs_period_us; do
      [ -r "$folder$path/$file" ] && IFS= read -r value < "$folder$path/$file" && printf '%s %s\n' "$file" "$value"
    done
    case "$path" in ''|/) break;; esac
    path=${PARENT}
  done
done < /proc/self/cgroup
part end
part packages; dpkg-query -W -f '${DPKG_FIELDS}' || apk info -v || rpm -qa --qf '%{NAME} %{VERSION}-%{RELEASE}\n'
`;

/**
 * What a program is made of: `$1` is what its parts are called by, the rest are names that it may have, of which the first that is a program and no
 * script is taken. A file's interpreter tells of its C library, and by itself where it can be asked.
 */
const INSPECT_PROGRAM = String.raw`
is_elf() { [ "$(head -c 4 "$1" | tail -c 3)" = ELF ]; }
look_at() {
  which=$1; shift; file=
  for name; do
    found=$(command -v -- "$name")
    case "$found" in /*) ;; */*) found=$(pwd -P)/$found;; *) continue;; esac
    [ -r "$found" ] || continue
    [ -n "$file" ] || file=$found
    is_elf "$found" && file=$found && break
  done
  [ -n "$file" ] || return
  if is_elf "$file"; then
    part "elf $which"; echo yes
    loader=$(head -c 4096 "$file" | tr '\0' '\n' | LC_ALL=C grep -a -m 1 '^/[ -~]*/ld[-.0-9][ -~]*$')
    [ -n "$loader" ] && { part "loader $which"; echo "$loader"; "$loader" --version 2>&1 | head -n 2; }
  fi
  part "libraries $which"; ldd "$file" | while read -r name arrow path rest; do [ "$arrow" = '=>' ] && printf '%s %s\n' "$name" "$(readlink -f "$path")"; done
  part "compiler $which"; { head -c 67108864 "$file"; tail -c 67108864 "$file"; } | tr '\0' '\n' | LC_ALL=C grep -ao -e 'GNU C[0-9+]* [0-9.]* -[ -~]*' -e 'GCC: ([^)]*) [0-9.]*' -e 'clang version [0-9.]*' -e 'rustc version [0-9.]*' -e 'GLIBC_TUNABLES' -e 'MUSL_LOCPATH' | LC_ALL=C sort -u | head -n 12
}
`;

/** The whole script, and what it looks at last: programs in their order, each by the names that it may have. */
export function scriptFor(programs: readonly (readonly string[])[]): string {
  const inspections = programs.flatMap((names, i) =>
    names.length === 0 ? [] : [`look_at ${i} ${names.map(shellWord).join(' ')}`],
  );
  return [SCRIPT, INSPECT_PROGRAM, ...inspections, 'part all', ''].join('\n');
}
