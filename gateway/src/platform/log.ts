/**
 * The log: one JSON line per state change, on standard output. Message text, passwords, tokens and full phone numbers
 * must never be logged: callers pass ids, and these fields are redacted in case one is passed by mistake.
 */
import { pino, type Logger } from 'pino'
import { processId } from './process-id.ts'

export type Log = Logger

const forbidden = ['text', 'password', 'token', 'from', 'to', 'recipient', 'sender', 'authorization']

export function createLog(level: string, role: string): Log {
  return pino({
    level,
    base: { role, pid: process.pid, process: processId },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: forbidden.flatMap((name) => [name, `*.${name}`]), censor: '[removed]' },
  })
}
