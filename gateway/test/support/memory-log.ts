/** Keeps log lines in memory, so that a test can search them. */
import { createLog, type Log } from '../../src/platform/logging/log.ts'

export interface MemoryLog {
  readonly log: Log
  /** JSON lines, oldest first. */
  readonly lines: string[]
}

export function createMemoryLog(): MemoryLog {
  const lines: string[] = []
  const log = createLog('trace', 'test', { write: (line: string) => void lines.push(line) })
  return { log, lines }
}
