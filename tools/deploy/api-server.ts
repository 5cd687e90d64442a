/**
 * A Kubernetes API server with its etcd on free ports of loopback and the admission of a real one: service
 * accounts and Pod Security. Without controllers and nodes, objects change only when the caller changes them.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { choosePorts } from '../engines/free-ports.ts'
import { waitForCondition } from '../engines/wait-for-condition.ts'
import { apiServerProgram } from './api-server-program.ts'
import { run, toolsRoot } from '../engines/tools-root.ts'

/** The token is known on this machine only, while the server runs. */
const token = 'administrator'

export interface ApiServerResponse {
  readonly status: number
  readonly body: string
}

export class ApiServer {
  readonly kubeconfig: string
  readonly #port: number
  readonly #children: readonly ChildProcess[]
  readonly #data: string

  private constructor(kubeconfig: string, port: number, children: readonly ChildProcess[], data: string) {
    this.kubeconfig = kubeconfig
    this.#port = port
    this.#children = children
    this.#data = data
  }

  /** Stores certificates, logs and the kubeconfig in `folder`. */
  static async start(folder: string): Promise<ApiServer> {
    const program = apiServerProgram()
    const [clientPort, peerPort, port] = await choosePorts(3)
    const file = (name: string): string => join(folder, name)
    const start = (name: string, command: string, args: readonly string[]): ChildProcess => {
      const log = openSync(file(`${name}.log`), 'w')
      return spawn(command, args, { stdio: ['ignore', log, log] })
    }
    const data = mkdtempSync(join(toolsRoot(), 'tmp/etcd-'))
    const etcd = start('etcd', 'chroot', [
      ...[toolsRoot(), 'etcd', '--data-dir', data.slice(toolsRoot().length), '--unsafe-no-fsync'],
      ...['--listen-client-urls', `http://127.0.0.1:${clientPort}`],
      ...['--advertise-client-urls', `http://127.0.0.1:${clientPort}`],
      ...['--listen-peer-urls', `http://127.0.0.1:${peerPort}`],
    ])
    run('openssl', ['genrsa', '-out', file('tokens.key'), '2048'])
    run('openssl', ['rsa', '-in', file('tokens.key'), '-pubout', '-out', file('tokens.pub')])
    writeFileSync(file('tokens.csv'), `${token},admin,admin,system:masters\n`, { mode: 0o600 })
    const kubernetes = start('kube-apiserver', program, [
      `--etcd-servers=http://127.0.0.1:${clientPort}`,
      `--secure-port=${port}`,
      '--bind-address=127.0.0.1',
      `--cert-dir=${file('certificates')}`,
      `--token-auth-file=${file('tokens.csv')}`,
      '--service-account-issuer=https://kubernetes.default.svc',
      `--service-account-key-file=${file('tokens.pub')}`,
      `--service-account-signing-key-file=${file('tokens.key')}`,
      '--service-cluster-ip-range=10.96.0.0/16',
      '--authorization-mode=RBAC',
    ])
    writeFileSync(file('kubeconfig'), kubeconfigOf(port!), { mode: 0o600 })
    const server = new ApiServer(file('kubeconfig'), port!, [kubernetes, etcd], data)
    const isReady = async (): Promise<boolean> => (await server.request('GET', '/readyz')).status === 200
    if (!(await waitForCondition(120_000, isReady))) {
      await server.stop()
      const log = readFileSync(file('kube-apiserver.log'), 'utf8').slice(-2000)
      throw new Error(`the API server is not ready after 120 s\n${log}`)
    }
    return server
  }

  /**
   * Sends a request; the status is 0 if there is no response. Accepts the server's own certificate, because
   * the connection stays on this machine.
   */
  async request(
    method: string,
    path: string,
    body?: string,
    type = 'application/yaml',
  ): Promise<ApiServerResponse> {
    const outgoing = request({
      host: '127.0.0.1',
      port: this.#port,
      method,
      path,
      rejectUnauthorized: false,
      headers: { authorization: `Bearer ${token}`, 'content-type': type, accept: 'application/json' },
      signal: AbortSignal.timeout(60_000),
    })
    outgoing.end(body)
    try {
      const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
      return { status: response.statusCode ?? 0, body: await text(response) }
    } catch (error) {
      return { status: 0, body: String(error) }
    }
  }

  async stop(): Promise<void> {
    for (const child of this.#children) {
      if (child.exitCode !== null || child.signalCode !== null) continue
      child.kill('SIGTERM')
      await once(child, 'exit')
    }
    rmSync(this.#data, { recursive: true, force: true })
  }
}

function kubeconfigOf(port: number): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'check',
    contexts: [{ name: 'check', context: { cluster: 'check', user: 'check' } }],
    clusters: [
      { name: 'check', cluster: { server: `https://127.0.0.1:${port}`, 'insecure-skip-tls-verify': true } },
    ],
    users: [{ name: 'check', user: { token } }],
  })
}
