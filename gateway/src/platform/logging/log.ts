/**
 * The log: one JSON line per state change, on standard output. Message text, passwords, tokens and full phone numbers
 * must never be logged: callers pass ids, and these fields are redacted in case one is passed by mistake. An error is
 * passed as `err`, which keeps only what cannot hold them.
 */
import { pino, type DestinationStream, type Logger } from 'pino'
import { describeError } from './log-error.ts'
import { processId } from '../process-id.ts'

export type Log = Logger

const forbidden = ['text', 'password', 'token', 'from', 'to', 'recipient', 'sender', 'authorization']

/** Writes to standard output by default. */
export function createLog(level: string, role: string, destination?: DestinationStream): Log {
  const options = {
    level,
    base: { role, pid: process.pid, process: processId },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: forbidden.flatMap((name) => [name, `*.${name}`]), censor: '[removed]' },
    serializers: { err: (error: unknown) => describeError(error) },
  }
  return destination === undefined ? pino(options) : pino(options, destination)
}
