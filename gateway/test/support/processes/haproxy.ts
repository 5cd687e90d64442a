/** HAProxy with deploy/cells/haproxy.cfg as it is, in front of cells whose APIs a test names. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { spawnEngine } from '../../../../scripts/services/engine-child.ts'
import { inEngineRoot } from '../../../../scripts/services/engine-root.ts'
import { ask } from '../../../../scripts/services/probe.ts'
import { haproxyProgram } from '../../../../scripts/services/programs.ts'
import { waitFor } from '../wait.ts'
import { choosePort } from '../../../../scripts/services/free-ports.ts'
import { forgetExited, killAtExit } from './process-cleanup.ts'
import { projectRoot } from './program.ts'

export const proxySettings = join(projectRoot, 'deploy/cells/haproxy.cfg')

export interface ProxiedApi {
  readonly port: number
  /** Where /readyz is. */
  readonly opsPort: number
}

export interface ProxyOptions {
  /** The APIs of each cell, by its id; the first cell is the default. */
  readonly cells: Readonly<Record<string, readonly ProxiedApi[]>>
  /** For its files and its log. */
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
    if (!existsSync(inEngineRoot(haproxyProgram)))
      throw new Error('HAProxy is not installed: npm run services -- install --tests')
    const checked = await ask({ command: haproxyProgram, args: ['-c', ...args], env })
    if (!checked.ok) throw new Error(`HAProxy refuses its settings:\n${checked.output}`)
    const log = openSync(file('haproxy.log'), 'a')
    const program = { command: haproxyProgram, args: ['-db', ...args], env }
    const child = spawnEngine(program, ['ignore', log, log])
    closeSync(log)
    const pid = child.pid ?? 0
    killAtExit(pid)
    child.once('exit', () => forgetExited(pid))
    const proxy = new Haproxy(`http://127.0.0.1:${port}`, socket, mapFile, child)
    // Before its first check a server counts as up: only the text of the check says that it was made.
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

  /** A command of the runtime API. */
  async command(text: string): Promise<string> {
    const connection = connect(this.socket)
    connection.setEncoding('utf8')
    connection.end(`${text}\n`)
    let answer = ''
    for await (const chunk of connection) answer += chunk as string
    return answer
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const exited = once(this.#child, 'exit')
    this.#child.kill('SIGTERM')
    await exited
  }
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
