// Probes of a port or program, with short timeouts. Nothing here throws: an engine that does not answer is an
// expected result.

import { execFile } from 'node:child_process'
import { connect } from 'node:net'
import { confined } from './engine-root.ts'
import { host } from './ports.ts'

/**
 * Connects and, if there is something to send, waits for the beginning of the answer. RabbitMQ treats a connection
 * without data as a health check and does not log it.
 */
export function answers(port: number, say?: string, expected?: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host, timeout: 1000 })
    const end = (answer: boolean) => {
      socket.destroy()
      resolve(answer)
    }
    socket.on('connect', () => (say === undefined ? end(true) : socket.write(say)))
    socket.on('data', (reply) => end(reply.toString('latin1').startsWith(expected ?? '')))
    socket.on('timeout', () => end(false))
    socket.on('error', () => end(false))
    socket.on('end', () => end(false))
  })
}

export interface Answer {
  readonly ok: boolean
  readonly output: string
}

export interface Question {
  readonly command: string
  readonly args: readonly string[]
  readonly env?: NodeJS.ProcessEnv
  readonly input?: string
  readonly timeoutMs?: number
  readonly account?: { readonly uid: number; readonly gid: number } | undefined
}

/** Runs a short program to its end; output is what it wrote to both streams. */
export function ask(question: Question): Promise<Answer> {
  return new Promise((resolve) => {
    const { command, args, account, env } = confined(question)
    const child = execFile(
      command,
      args,
      {
        cwd: '/', // the caller's folder may be closed to the account
        timeout: question.timeoutMs ?? 10_000,
        ...(env ? { env } : {}),
        ...account,
      },
      (error, stdout, stderr) => resolve({ ok: error === null, output: (stdout + stderr).trim() }),
    )
    child.stdin?.on('error', () => undefined) // a program that ends early closes its input
    child.stdin?.end(question.input ?? '')
  })
}
