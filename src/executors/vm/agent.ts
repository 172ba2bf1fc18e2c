// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the shell's own

/** Prefix of all lines from the agent. The text that is typed must not contain it, because a terminal repeats what is typed. */
export const SAYS = '@jd ';

/** Folder in a guest for joulediff's files and the output of commands. */
export const GUEST_FOLDER = '/tmp/joulediff';

/** Prefix of the line on the end of a service: its name, exit code, how many processes memory ran out for, what it left, and its last output. */
export const DIED = 'D ';
const LAST_BYTES = 700;
/** Separator of a service's last lines of output: the agent sends them as one line, so that no other line gets between them. */
export const LINE_END = '\x1e';

/**
 * What runs commands in a guest: a loop of the guest's own shell, typed into it, so that an image needs nothing but a POSIX shell with root's
 * rights at its second serial port. It is asleep in a read while nothing is asked, and in a wait while a command runs. Its clock is the
 * kernel's CLOCK_MONOTONIC, in nanoseconds from /proc/timer_list, else in hundredths of a second from /proc/uptime.
 * Where memory runs out, the kernel must end something other than the agent: commands get back the score that its shell had (`O`).
 *
 * The text is typed between single quotes, so it contains no single quote, and no exclamation mark.
 */
export const AGENT = [
  `exec 3<&0 4>&1 </dev/null >/dev/null 2>&1; O=\${1:-0}; D=${GUEST_FOLDER}; mkdir -p $D; t=; N=$(printf "\\n_"); N=\${N%_}; R=$(printf "\\036");`,
  `say() { printf "${SAYS}%s\\n" "$*" >&4; };`,
  'now() { u=; k=0; while read -r a b c d; do case $a$b in nowat) u=$c; break;; esac; done </proc/timer_list;',
  'case $u in "") read -r u d </proc/uptime; u=${u%.*}${u#*.}0000000; k=10000000;; esac; };',
  'oom() { m=0; while read -r a b; do case $a in oom_kill) m=$b;; esac; done </proc/vmstat; };',
  // Ticks of all processors: user, nice, system, irq and softirq.
  'cpu() { read -r a b c d e f g h x </proc/stat; q=$((b + c + d + g + h)); };',
  'seek() { L=; P=; for f in $(grep -l JOULEDIFF_$1 /proc/[0-9]*/environ); do f=${f%/environ};',
  'read -r n <$f/comm && L="$L/$n" P="$P ${f#/proc/}"; done; };',
  // A process that is about to end does not count as left running.
  'left() { seek STAGE=$1; case $L in ?*) sleep 0.1 || sleep 1; seek STAGE=$1;; esac;',
  'case $1$P in run?*) kill -9 $P;; esac; say "L$L"; };',
  // In the foreground: what runs in the background of a shell can't be interrupted from a keyboard, and would pass that on.
  'run() { cpu; p=$q; oom; o=$m; now; s=$u; (echo $O >/proc/self/oom_score_adj; exec 3<&- 4>&-; eval "$t") >$D/out-$1 2>&1; r=$?; now;',
  'say "E $r $s $u $k"; oom; cpu; say "S $((m - o)) $((q - p))"; left $1; };',
  // A service goes on behind the loop, and its end is reported by itself, but not in the middle of another output.
  'lock() { until mkdir $D/lock; do sleep 0.1 || sleep 1; done; };',
  'session() { L=; P=; s=$1; for f in /proc/[0-9]*/stat; do a=; read -r a <$f; n=${a#*\\(}; n=${n%\\)*}; set -- ${a##*\\) };',
  'case $1$4 in Z*) ;; ?$s) L="$L/$n" P="$P ${a%% *}";; esac; done; };',
  // What left the session of its service still has its mark, unless it overwrote its environment.
  'members() { p=; read -r p <$D/pid-$1; session $p; case $L in "") seek PART=$1:;; esac; };',
  // This process is no child of the loop: busybox's read may lose what it has received when a child ends.
  'serve() { ( (exec 3<&-; oom; o=$m; (read -r p a </proc/self/stat; echo $p >$D/pid-$1; echo $O >/proc/self/oom_score_adj; exec 4>&-; eval "$t")',
  '>$D/out-service-$1 2>&1; r=$?; oom; members $1; case $L in ?*) sleep 0.1 || sleep 1; members $1;; esac;',
  `tail -c ${LAST_BYTES} $D/out-service-$1 >$D/end-$1; w=; while IFS= read -r l || [ -n "$l" ]; do w=$w$R$l; done <$D/end-$1;`,
  `lock; say "${DIED.trim()} $1 $r $((m - o))$L$w"; rmdir $D/lock) & ); say A; };`,
  'stop() { members $1; case $P in ?*) kill -$2 $P;; esac; say "K$L"; };',
  // The output of a service grows meanwhile.
  'out() { lock; b=$(wc -c <$D/out-$1); b=$((b)); h=$(($2 / 2)); if [ $b -le $2 ]; then say "O $b $b"; head -c $b $D/out-$1 >&4;',
  'else say "O $b $((h + h))"; head -c $h $D/out-$1 >&4; tail -c $h $D/out-$1 >&4; fi; rmdir $D/lock; };',
  'say ready; while IFS= read -r l <&3; do case $l in +*) t=$t${l#+}; say A;; n) t=$t$N; say A;; c) t=; say A;;',
  'p*) now; say "P ${l#p} $u $k";; r*) run ${l#r};; o*) out ${l#o};;',
  's*) serve ${l#s};; k*) stop ${l#k};; esac; done',
].join(' ');

/** Prefix of the line on the agent's end: its exit code, and how many processes the guest's kernel ended for lack of memory. */
export const GONE = 'gone ';

/**
 * Starts the agent from the shell that it was typed into, as `$joulediff`. That shell waits for it and reports its end; otherwise, a run without a
 * timeout would wait for as long as the guest exists. The terminal repeats the typed line, so the line does not contain the text that it prints.
 */
export const START = [
  'stty raw -echo && { k() { m=0; while read -r a b; do case $a in oom_kill) m=$b;; esac; done </proc/vmstat; };',
  'o=0; read -r o </proc/self/oom_score_adj; echo -1000 >/proc/$$/oom_score_adj; k; n=$m;',
  `sh -c "$joulediff" joulediff $o; r=$?; k; printf "%s${SAYS.slice(1)}${GONE}%s %s\\n" ${SAYS.slice(0, 1)} $r $((m - n)); }`,
].join(' ');

/** Exit code of the script that unpacks the files, if the drive that carries them is missing. */
export const NO_DRIVE = 69;
export const UNPACK = [
  `mkdir -p ${GUEST_FOLDER}/files || exit`,
  'for s in /sys/block/*/serial; do',
  'n=; { read -r n <"$s"; } 2>/dev/null; d=${s%/serial}; d=${d##*/}',
  `case $n in joulediff) exec tar -xf "/dev/$d" -C ${GUEST_FOLDER}/files;; esac`,
  'done',
  `exit ${NO_DRIVE}`,
].join('\n');

/** Hardware address of the guest's network card, and its own address, which QEMU would also give it by DHCP. */
export const CARD = '52:54:00:6a:64:01';
const ADDRESS = '10.0.2.15';
/** Exit code of the script that sets the network up, if there is no card. */
export const NO_CARD = 70;
/** Sets up the network card, where the guest has not done so itself. */
export const NETWORK = [
  'n=; for f in /sys/class/net/*/address; do read -r a <$f; case $a in',
  `${CARD}) n=\${f%/address}; n=\${n##*/};; esac; done`,
  `case $n in "") exit ${NO_CARD};; esac`,
  `grep -qF ${ADDRESS} /proc/net/fib_trie && exit 0`,
  `{ ip addr add ${ADDRESS}/24 dev $n && ip link set $n up; } || ifconfig $n ${ADDRESS} netmask 255.255.255.0 up`,
].join('\n');

/** Waits for the end of the guest's own boot, which must not go on in a run, and which may empty /tmp. Programs there find each other at 127.0.0.1. */
export const BOOTED = [
  'ip link set lo up || ifconfig lo 127.0.0.1 up',
  `[ ! -d /run/systemd/system ] || systemctl is-system-running --wait; exec mkdir -p ${GUEST_FOLDER}`,
].join('\n');

export const INSPECT = [
  'echo "kernel $(cat /proc/sys/kernel/osrelease)"',
  'echo "cpus $(grep -c ^processor /proc/cpuinfo)"',
  'grep ^MemTotal: /proc/meminfo',
].join('\n');
