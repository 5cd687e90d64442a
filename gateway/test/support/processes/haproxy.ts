/**
 * Runs HAProxy: with deploy/cells/haproxy.cfg unchanged, in front of cells whose APIs a test names, or as a plain
 * TCP proxy.
 */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { spawnEngine } from '../../../../tools/engines/engine-child.ts'
import { inEngineRoot } from '../../../../tools/engines/engine-root.ts'
import { runProbe } from '../../../../tools/engines/probe.ts'
import { haproxyProgram } from '../../../../tools/engines/programs.ts'
import { waitFor } from '../wait.ts'
import { choosePort, choosePorts } from '../../../../tools/engines/free-ports.ts'
import { forgetExited, killAtExit } from './process-cleanup.ts'
import { projectRoot } from './program.ts'

export const proxySettings = join(projectRoot, 'deploy/cells/haproxy.cfg')

export interface ProxiedApi {
  readonly port: number
  /** Port of /readyz. */
  readonly opsPort: number
}

export interface ProxyOptions {
  /** The APIs of each cell by its id; the first cell is the default. */
  readonly cells: Readonly<Record<string, readonly ProxiedApi[]>>
  /** Folder for its files and its log. */
  readonly directory: string
}

export class Haproxy {
  readonly url: string
  readonly socket: string
  readonly mapFile: string
  readonly #child: ChildProcess

  private constructor(url: string, socket: string, mapFile: string, child: ChildProcess) {
    this.url = url
    this.socket = socket
    this.mapFile = mapFile
    this.#child = child
  }

  /** Resolves when an API of every cell is in rotation. */
  static async start({ cells, directory }: ProxyOptions): Promise<Haproxy> {
    const port = await choosePort()
    const file = (name: string): string => join(directory, name)
    const [socket, mapFile] = [file('haproxy.sock'), file('clients.map')]
    writeFileSync(mapFile, '')
    writeFileSync(file('cells.cfg'), cellsConfig(cells))
    const args = ['-f', proxySettings, '-f', file('cells.cfg')]
    const env = {
      POSTERN_PROXY_BIND: `127.0.0.1:${port}`,
      POSTERN_PROXY_SOCKET: socket,
      POSTERN_PROXY_MAP: mapFile,
      POSTERN_PROXY_DEFAULT_CELL: Object.keys(cells)[0],
    }
    const child = await launch(args, env, file('haproxy.log'))
    const proxy = new Haproxy(`http://127.0.0.1:${port}`, socket, mapFile, child)
    // Before its first check a server counts as up: only the text of the check shows that it has run.
    await waitFor(
      `the first checks of HAProxy (log: ${file('haproxy.log')})`,
      async () => {
        const states = await proxy.command('show stat').catch(() => '')
        return Object.keys(cells).every((cell) => new RegExp(`^cell_${cell},api.*,L7OK,`, 'm').test(states))
      },
      { timeoutMs: 15_000 },
    )
    return proxy
  }

  /** Runs a command of the runtime API. */
  async command(text: string): Promise<string> {
    const connection = connect(this.socket)
    connection.setEncoding('utf8')
    connection.end(`${text}\n`)
    let response = ''
    for await (const chunk of connection) response += chunk as string
    return response
  }

  stop(): Promise<void> {
    return stop(this.#child)
  }
}

export interface TcpProxy {
  /** The ports of HAProxy in front of each target. */
  readonly ports: readonly number[]
  stop(): Promise<void>
}

/**
 * Starts HAProxy in TCP mode. Each target is a port and an option of its server line, such as `send-proxy`.
 */
export async function startTcpProxy(
  targets: readonly (readonly [port: number, option: string])[],
  directory: string,
): Promise<TcpProxy> {
  const ports = await choosePorts(targets.length)
  const settings = join(directory, 'tcp.cfg')
  const sections = targets.map(
    ([target, option], index) => `listen target${index}
  bind 127.0.0.1:${ports[index]}
  server only 127.0.0.1:${target} ${option}
`,
  )
  const timeouts = 'timeout connect 2s\n  timeout client 30s\n  timeout server 30s'
  writeFileSync(settings, `defaults\n  mode tcp\n  ${timeouts}\n${sections.join('')}`)
  const child = await launch(['-f', settings], {}, join(directory, 'haproxy.log'))
  await waitFor('HAProxy to listen', () => isListening(ports[0]!))
  return { ports, stop: () => stop(child) }
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect({ host: '127.0.0.1', port })
  const isOpen = await once(socket, 'connect').then(
    () => true,
    () => false,
  )
  socket.destroy()
  return isOpen
}

async function launch(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  logFile: string,
): Promise<ChildProcess> {
  if (!existsSync(inEngineRoot(haproxyProgram)))
    throw new Error('HAProxy is not installed; run npm run engines -- install --tests')
  const checked = await runProbe({ command: haproxyProgram, args: ['-c', ...args], env })
  if (!checked.ok) throw new Error(`HAProxy rejects its settings:\n${checked.output}`)
  const log = openSync(logFile, 'a')
  const child = spawnEngine({ command: haproxyProgram, args: ['-db', ...args], env }, ['ignore', log, log])
  closeSync(log)
  const pid = child.pid ?? 0
  killAtExit(pid)
  child.once('exit', () => forgetExited(pid))
  return child
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
}

function cellsConfig(cells: ProxyOptions['cells']): string {
  return Object.entries(cells)
    .map(([cell, apis]) =>
      [
        `backend cell_${cell}`,
        '  balance leastconn',
        ...apis.map(
          ({ port, opsPort }, index) => `  server api${index + 1} 127.0.0.1:${port} port ${opsPort}`,
        ),
        '',
      ].join('\n'),
    )
    .join('\n')
}
