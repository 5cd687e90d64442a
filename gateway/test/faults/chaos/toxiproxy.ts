import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { goProgram } from '../../support/processes/go-program.ts'
import { choosePort } from '../../../../tools/engines/free-ports.ts'
import { forgetExited, killAtExit } from '../../support/processes/process-cleanup.ts'
import { waitFor } from '../../support/wait.ts'

const version = 'v2.12.0'
const path = 'github.com/Shopify/toxiproxy/v2/cmd/server'

/**
 * Controls Toxiproxy between processes and engines. Each process has a separate proxy for each engine, so
 * that one process can be cut off while the others work.
 */
export class Toxiproxy {
  readonly #url: string
  readonly #child: ChildProcess

  private constructor(url: string, child: ChildProcess) {
    this.#url = url
    this.#child = child
  }

  /** Starts Toxiproxy with its log in `directory`. */
  static async start(directory: string): Promise<Toxiproxy> {
    const program = goProgram('toxiproxy', path, version)
    const port = await choosePort()
    const log = openSync(join(directory, 'toxiproxy.log'), 'a')
    const child = spawn(program, ['-host', '127.0.0.1', '-port', String(port)], {
      stdio: ['ignore', log, log],
    })
    closeSync(log)
    killAtExit(child.pid ?? 0)
    const proxy = new Toxiproxy(`http://127.0.0.1:${port}`, child)
    await waitFor(
      'toxiproxy to respond',
      () => proxy.#request('GET', '/version').then(Boolean, () => false),
      { timeoutMs: 10_000 },
    )
    return proxy
  }

  /** Opens a proxy to `upstream` (`host:port`) and returns its port. */
  async open(name: string, upstream: string): Promise<number> {
    const port = await choosePort()
    await this.#request('POST', '/proxies', { name, listen: `127.0.0.1:${port}`, upstream, enabled: true })
    return port
  }

  /**
   * Drops all data in both directions, also of new connections, without closing connections, like a firewall
   * that lost its state. The latency toxic is not used, because Toxiproxy then needs 5 s for every chunk that
   * it holds for a connection closed in the meantime.
   */
  async silence(name: string): Promise<void> {
    for (const stream of ['upstream', 'downstream']) {
      // A timeout of 0 never expires.
      const toxic = { name: stream, type: 'timeout', stream, attributes: { timeout: 0 } }
      await this.#request('POST', `/proxies/${name}/toxics`, toxic)
    }
  }

  /** Closes the silent connections. New ones work. */
  async restore(name: string): Promise<void> {
    await Promise.all(
      ['upstream', 'downstream'].map((stream) =>
        this.#request('DELETE', `/proxies/${name}/toxics/${stream}`),
      ),
    )
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null) return
    const ended = once(this.#child, 'exit')
    this.#child.kill()
    await ended
    forgetExited(this.#child.pid ?? 0)
  }

  async #request(method: string, to: string, body?: object): Promise<string> {
    const response = await fetch(`${this.#url}${to}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`toxiproxy: ${method} ${to}: HTTP ${response.status} ${text}`)
    return text
  }
}
