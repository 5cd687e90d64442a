/**
 * Shared by clients with an HTTP interface: a server for their callbacks, and daemons with their own files.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { forgetExited, killAtExit } from '../../support/processes/process-cleanup.ts'

export interface Callbacks {
  readonly port: number
  close(): Promise<void>
}

/** `onCallback` receives the query of each callback. `body` is the response body that the client expects. */
export async function openCallbacks(
  onCallback: (query: URLSearchParams) => void,
  body: string,
): Promise<Callbacks> {
  const server = createServer((request, response) => {
    onCallback(new URL(request.url ?? '/', 'http://127.0.0.1').searchParams)
    response.end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

export interface Daemon {
  readonly ended: boolean
  /** Returns the end of its output. */
  log(): string
  /** Kills it if the signal does not end it. */
  stop(signal: NodeJS.Signals): Promise<void>
}

const stopWithinMs = 20_000

export function startDaemon(
  command: string,
  args: readonly string[],
  folder: string,
  environment: Readonly<Record<string, string>> = {},
): Daemon {
  const file = join(folder, `${command.split('/').at(-1)!}.out`)
  const output = openSync(file, 'a')
  const env = { ...process.env, ...environment }
  const child = spawn(command, args, { cwd: folder, env, stdio: ['ignore', output, output] })
  closeSync(output)
  let ended = false
  const pid = child.pid ?? 0
  killAtExit(pid)
  const exited = new Promise<void>((resolve) => {
    const end = (): void => {
      ended = true
      forgetExited(pid)
      resolve()
    }
    child.once('exit', end)
    child.once('error', end)
  })
  return {
    get ended() {
      return ended
    },
    log: () => readFileSync(file, 'utf8').slice(-2_000),
    async stop(signal) {
      if (!ended) child.kill(signal)
      const late = setTimeout(() => child.kill('SIGKILL'), stopWithinMs)
      await exited
      clearTimeout(late)
    },
  }
}

export function openFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'postern-peer-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

export async function get(url: string, query: Readonly<Record<string, string>>): Promise<string> {
  const response = await fetch(`${url}?${new URLSearchParams(query).toString()}`)
  const text = await response.text()
  if (!response.ok) throw new Error(`${url} responded ${response.status}: ${text.slice(0, 200)}`)
  return text
}

/** Reports whether a process listens. */
export async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
