/**
 * Kills child processes when the test exits, and runs the registered cleanups if it is interrupted. After SIGKILL of
 * the test nothing can be cleaned up; the kernel then kills its children if setpriv is available, see
 * program.ts.
 */
type Cleanup = () => Promise<void>

const pids = new Set<number>()
const cleanups = new Set<Cleanup>()
let watching = false
let interrupted = false

export function killAtExit(pid: number): void {
  watch()
  pids.add(pid)
}

/** Call it as soon as the process has exited: its pid may be reused. */
export function forgetExited(pid: number): void {
  pids.delete(pid)
}

/** Registers a cleanup for an interruption; returns a function that unregisters it. */
export function onInterrupt(undo: Cleanup): () => void {
  watch()
  cleanups.add(undo)
  return () => cleanups.delete(undo)
}

function watch(): void {
  if (watching) return
  watching = true
  process.on('exit', killAll)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => void leave(signal))
  }
}

function killAll(): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // The process has exited.
    }
  }
}

async function leave(signal: NodeJS.Signals): Promise<void> {
  if (interrupted) return
  interrupted = true
  process.stderr.write(`${signal}: stopping the processes of the test\n`)
  killAll()
  await Promise.allSettled([...cleanups].map((undo) => undo()))
  process.exit(signal === 'SIGINT' ? 130 : 143)
}
