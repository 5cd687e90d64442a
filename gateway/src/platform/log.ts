/**
 * One JSON line per state change, on standard output. Message text, passwords, tokens and whole phone numbers
 * never reach a log: callers pass ids, and these paths are cut out should one slip through.
 */
import { pino, type Logger } from 'pino'

export type Log = Logger

const forbidden = ['text', 'password', 'token', 'from', 'to', 'recipient', 'sender', 'authorization']

export function createLog(level: string, role: string): Log {
  return pino({
    level,
    base: { role, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: forbidden.flatMap((name) => [name, `*.${name}`]), censor: '[removed]' },
  })
}
