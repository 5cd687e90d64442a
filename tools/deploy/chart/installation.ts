/** The chart on podman: engines, pods, and a load balancer in place of the Service of the API. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readSteps } from '../../docs/guides/blocks.ts'
import { openShell, type Shell } from '../../docs/guides/shell.ts'
import { projectRoot } from '../../engines/paths.ts'
import { waitForCondition } from '../../engines/wait-for-condition.ts'
import { sectionOf, splitCommands } from '../deployments/installation.ts'
import { addressOf, closePodman, network, openPodman, podman } from './podman.ts'

type RunDocker = (...args: string[]) => string

const image = 'registry.example/postern'
const engineImages = ['postgres:17.7', 'rabbitmq:4.0', 'valkey/valkey:8.1', 'haproxy:3.0']
/** The load balancer; the port of Compose stays free. */
const port = 8480
/** Leads to the first pod of the API: an attack on what a process keeps must reach the same process again. */
export const firstPodPort = 8481
export const api = `http://127.0.0.1:${port}`

export class ChartInstallation {
  commands = 0
  /** Key of the sandbox account. */
  key = ''
  readonly #docker: RunDocker
  readonly #shell: Shell
  readonly #folder = mkdtempSync(join(tmpdir(), 'postern-chart-'))

  constructor(docker: RunDocker, environment: NodeJS.ProcessEnv) {
    this.#docker = docker
    const bin = join(this.#folder, 'bin')
    mkdirSync(bin)
    for (const name of ['kubectl', 'helm']) {
      const program = [process.execPath, join(import.meta.dirname, 'stand-in.ts'), name]
      writeFileSync(
        join(bin, name),
        `#!/bin/sh\nPATH='${process.env.PATH}' exec ${program.join(' ')} "$@"\n`,
        { mode: 0o755 },
      )
    }
    writeFileSync(join(bin, 'docker'), this.#dockerStandIn(), { mode: 0o755 })
    const path = `${bin}:${process.env.PATH}`
    this.#shell = openShell(projectRoot, { ...environment, PATH: path }, this.#folder)
  }

  /** Starts the engines under the names and with the passwords of the page. */
  async startEngines(): Promise<string> {
    openPodman()
    this.importImages(...engineImages)
    const run = (name: string, ...args: string[]): string =>
      podman('run', '--detach', '--pull', 'never', '--name', name, '--network', network(), ...args)
    const variables = (values: Record<string, string>): string[] =>
      Object.entries(values).flatMap(([name, value]) => ['--env', `${name}=${value}`])
    const postgres = { POSTGRES_USER: 'postern', POSTGRES_PASSWORD: 'secret', POSTGRES_DB: 'postern' }
    run(
      'database',
      ...variables(postgres),
      'localhost/postgres:17.7',
      'postgres',
      '-c',
      'max_connections=200',
    )
    const broker = { RABBITMQ_DEFAULT_USER: 'postern', RABBITMQ_DEFAULT_PASS: 'secret' }
    run('broker', ...variables(broker), 'localhost/rabbitmq:4.0')
    run('valkey', 'localhost/valkey/valkey:8.1', 'valkey-server', '--requirepass', 'secret')
    const ready = [
      ['database', 'pg_isready', '-h', 'localhost', '-U', 'postern', '-d', 'postern'],
      ['broker', 'rabbitmq-diagnostics', '-q', 'check_port_connectivity'],
      ['valkey', 'valkey-cli', '-a', 'secret', '-e', 'ping'],
    ]
    for (const [name, ...command] of ready)
      if (!(await waitForCondition(180_000, () => Promise.resolve(succeeds(name!, ...command)))))
        throw new Error(`${name} is not ready after 180 s:\n${podman('logs', name!)}`)
    this.#startLoadBalancer()
    return 'PostgreSQL, RabbitMQ and Valkey in containers of podman'
  }

  /** Images in one archive share their layers. */
  importImages(...names: readonly string[]): void {
    const archive = join(this.#folder, 'images.tar')
    this.#docker('save', '--output', archive, ...names)
    podman('load', '--input', archive)
    rmSync(archive)
  }

  /** Runs the shell blocks below a heading of the page and returns what they printed. */
  async follow(heading: string): Promise<string> {
    const text = readFileSync(join(projectRoot, 'docs/operations/kubernetes.md'), 'utf8')
    let printed = ''
    for (const step of readSteps(sectionOf(text, heading))) {
      if (step.kind !== 'run') continue
      for (const command of splitCommands(`${step.code}\n`)) {
        this.commands += 1
        // The load balancer already listens.
        if (step.background !== null) continue
        printed += await this.run(command)
        this.key = /TOKEN=(postern_[\w-]+)/.exec(printed)?.[1] ?? this.key
      }
    }
    return printed
  }

  /** Runs a line in the shell of the page. */
  run(command: string): Promise<string> {
    return this.#shell.run(command.replaceAll('postern_…', this.key).replaceAll('http://127.0.0.1:8080', api))
  }

  /** Runs a command of the gateway in the pod of the admin API. */
  async postern(...args: string[]): Promise<string> {
    return this.run(`kubectl exec deploy/postern-admin -- node /app/gateway/src/main.ts ${args.join(' ')}`)
  }

  /** Builds the image of a next release: this one with another migration. */
  buildNext(migration: { readonly name: string; readonly sql: string }): void {
    const folder = join(this.#folder, 'next')
    mkdirSync(folder)
    writeFileSync(join(folder, migration.name), migration.sql)
    const containerfile = `FROM ${image}:0.1.0\nCOPY ${migration.name} /app/gateway/migrations/\n`
    writeFileSync(join(folder, 'Containerfile'), containerfile)
    podman(
      'build',
      '--pull-never',
      '--file',
      join(folder, 'Containerfile'),
      '--tag',
      `${image}:0.2.0`,
      folder,
    )
  }

  sql(statement: string): string[] {
    const options = ['--tuples-only', '--no-align', '--username=postern', 'postern']
    return podman('exec', 'database', 'psql', ...options, '--command', statement).split('\n')
  }

  /** Names of the containers of the pods. */
  containers(): string[] {
    const filter = ['--filter', 'name=^postern-', '--format', '{{.Names}}']
    return podman('ps', ...filter)
      .split('\n')
      .filter((name) => name !== '' && !name.endsWith('-infra'))
  }

  async remove(): Promise<void> {
    await this.#shell.stop()
    closePodman()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  /**
   * Docker without buildx cannot build the Containerfile, so `build` only tags the image that Compose has built from
   * it. `push` loads the image into podman.
   */
  #dockerStandIn(): string {
    const docker = execFileSync('which', ['docker'], { encoding: 'utf8' }).trim()
    const load = `${process.execPath} ${join(import.meta.dirname, 'load.ts')}`
    return `#!/bin/sh
case "$1" in
  build) ${docker} tag postern:latest ${image}:0.1.0 ;;
  push) ${docker} save "$2" | ${load} ;;
esac
`
  }

  /** Sends to a pod of the API while its /readyz succeeds, as the Service does. */
  #startLoadBalancer(): void {
    const pods = ['1-a', '1-b', '2-a', '2-b'].map((name) => `postern-api-${name}`)
    // The intervals of the chart's readiness probe.
    const config = `defaults
  mode tcp
  option redispatch
  timeout connect 2s
  timeout check 2s
  timeout client 60s
  timeout server 60s
frontend api
  bind 127.0.0.1:${port}
  default_backend pods
listen first
  bind 127.0.0.1:${firstPodPort}
  server first ${addressOf('postern-api-1-a')}:8080
backend pods
  option httpchk GET /readyz
  default-server check port 9090 inter 2s fall 2 rise 1
${pods.map((name) => `  server ${name} ${addressOf(name)}:8080\n`).join('')}`
    const file = join(this.#folder, 'haproxy.cfg')
    writeFileSync(file, config, { mode: 0o644 })
    const mount = `${file}:/usr/local/etc/haproxy/haproxy.cfg:ro`
    podman(
      'run',
      '--detach',
      '--name',
      'service',
      '--network',
      'host',
      '--volume',
      mount,
      'localhost/haproxy:3.0',
    )
  }
}

function succeeds(container: string, ...command: readonly string[]): boolean {
  try {
    podman('exec', container, ...command)
    return true
  } catch {
    return false
  }
}
