/**
 * Leaves nothing running and nothing behind, however the test ends: what was registered is undone when the
 * process exits or is interrupted. A killed test (kill -9) cannot do that; its children die by themselves
 * where the system can arrange it, see process.ts.
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

/** To be called as soon as the process is gone: its number may be given to another. */
export function forgetExited(pid: number): void {
  pids.delete(pid)
}

/** Runs once if the test is interrupted; returns a function that forgets it. */
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
      // Gone already.
    }
  }
}

async function leave(signal: NodeJS.Signals): Promise<void> {
  if (interrupted) return
  interrupted = true
  process.stderr.write(`${signal}: stopping what the test has started\n`)
  killAll()
  await Promise.allSettled([...cleanups].map((undo) => undo()))
  process.exit(signal === 'SIGINT' ? 130 : 143)
}
