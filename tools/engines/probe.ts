// Probes a port or a program with short timeouts. Nothing here throws: an engine that does not respond is an
// expected result.

import { execFile } from 'node:child_process'
import { connect } from 'node:net'
import { toEngineRoot } from './engine-root.ts'
import { host } from './ports.ts'

/**
 * Connects and, if there is something to send, waits for the beginning of the response. RabbitMQ treats a
 * connection without data as a health check and does not log it.
 */
export function probePort(port: number, request?: string, expected?: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host, timeout: 1000 })
    const end = (isReady: boolean) => {
      socket.destroy()
      resolve(isReady)
    }
    socket.on('connect', () => (request === undefined ? end(true) : socket.write(request)))
    socket.on('data', (response) => end(response.toString('latin1').startsWith(expected ?? '')))
    socket.on('timeout', () => end(false))
    socket.on('error', () => end(false))
    socket.on('end', () => end(false))
  })
}

export interface ProbeResult {
  readonly ok: boolean
  readonly output: string
}

export interface ProbeCommand {
  readonly command: string
  readonly args: readonly string[]
  readonly env?: NodeJS.ProcessEnv
  readonly input?: string
  readonly timeoutMs?: number
  readonly account?: { readonly uid: number; readonly gid: number } | undefined
}

/** Runs a short program to its end; `output` contains both streams. */
export function runProbe(probe: ProbeCommand): Promise<ProbeResult> {
  return new Promise((resolve) => {
    const { command, args, account, env } = toEngineRoot(probe)
    const child = execFile(
      command,
      args,
      {
        cwd: '/', // the account may lack access to the caller's folder
        timeout: probe.timeoutMs ?? 10_000,
        ...(env ? { env } : {}),
        ...account,
      },
      (error, stdout, stderr) => resolve({ ok: error === null, output: (stdout + stderr).trim() }),
    )
    child.stdin?.on('error', () => undefined) // a program that exits early closes its input
    child.stdin?.end(probe.input ?? '')
  })
}
