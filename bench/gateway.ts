/**
 * Starts real gateway processes through `main.ts`, as operators start them, with default settings except that
 * trust rules and limits are off: the bare programs, with which the bench compares, check none. `enableRules` of
 * settings.ts turns the rules on. Commands configure the gateway.
 */
import { execFile } from 'node:child_process'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { choosePort } from '../tools/engines/free-ports.ts'
import { createTopology, fixedQueues } from '../gateway/src/jobs/queues.ts'
import type { BenchEnvironment } from './environment.ts'
import { startProgram, type Program, type ProgramSpec } from './programs.ts'

export const projectRoot = resolve(import.meta.dirname, '..')
export const routeId = 'bench'
const entry = join(projectRoot, 'gateway/src/main.ts')

interface GatewayProgram extends Program {
  /** Address of its metrics. */
  readonly opsUrl: string
}

export interface Gateway {
  /** Client id of the sending account. */
  readonly clientId: string
  /** Queue of accepted messages of the lane `normal`. */
  readonly acceptedQueue: string
  readonly command: (...args: string[]) => Promise<string>
  startApi(): Promise<GatewayProgram & { readonly port: number }>
  startWorker(): Promise<GatewayProgram>
  /** Requests a token of the account. */
  requestToken(port: number): Promise<string>
}

/**
 * Installs a gateway. With `profileFolder`, each role writes its CPU profile there when it stops. `settings`
 * are additional environment variables of every process.
 */
export async function installGateway(
  environment: BenchEnvironment,
  profileFolder?: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Gateway> {
  const env = {
    POSTERN_DATABASE_URL: environment.databaseUrl,
    POSTERN_PRIVILEGED_DATABASE_USER: 'warn',
    POSTERN_BROKER_URLS: environment.brokerUrls,
    POSTERN_REDIS_URL: environment.redisUrl,
    POSTERN_TOKEN_SECRET: 'only-for-the-bench-only-for-the-bench',
    POSTERN_QUEUE_PREFIX: environment.queuePrefix,
    POSTERN_HTTP_PORT: '0',
    POSTERN_NEW_ACCOUNT_DAY_CAP: '0',
    ...settings,
  }
  const queues = listQueues(environment.queuePrefix)
  queues.forEach((queue) => environment.deleteAtClose(queue))
  const run = promisify(execFile)
  const command = async (...args: string[]): Promise<string> =>
    (await run(process.execPath, [entry, ...args], { env: { ...process.env, ...env } })).stdout

  await command('migrate')
  await command('trust', 'disable', 'all', '--reason', 'bench')
  // Rate limits are off: the capacity of the gateway is measured, not the limit of an account.
  const unlimited = ['--limits-send', '0', '--limits-report', '0']
  const account = JSON.parse(
    await command('account', 'create', '--name', 'bench', '--json', ...unlimited),
  ) as { clientId: string; password: string }
  const flags = profileFolder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`]
  let started = 0
  const profileFlags = (role: string): string[] =>
    flags.length === 0 ? [] : [...flags, `--cpu-prof-name=${role}-${++started}.cpuprofile`]
  const start = async <T>(role: 'api' | 'worker', ready: ProgramSpec<T>['ready']) => {
    const opsPort = await choosePort()
    const program = await startProgram({
      name: `gateway ${role}`,
      args: [...profileFlags(role), entry, role],
      env: { ...env, POSTERN_OPS_PORT: String(opsPort) },
      ready,
    })
    return { ...program, opsUrl: `http://127.0.0.1:${opsPort}` }
  }

  return {
    clientId: account.clientId,
    acceptedQueue: createTopology(environment.queuePrefix).accepted.normal.name,
    command,
    async startApi() {
      const program = await start('api', (line) =>
        line['msg'] === 'api listening' ? (line['address'] as string) : undefined,
      )
      return { ...program, port: Number(new URL(program.readyValue).port) }
    },
    startWorker: () => start('worker', (line) => (line['msg'] === 'worker started' ? true : undefined)),
    async requestToken(port) {
      const response = await fetch(`http://127.0.0.1:${port}/v1/auth/token`, {
        method: 'POST',
        headers: { 'x-svc-client-id': account.clientId, 'x-svc-client-passwd': account.password },
      })
      const body = (await response.json()) as { code: string; result: string; data?: { token: string } }
      if (body.data === undefined) throw new Error(`token request failed: ${body.code} ${body.result}`)
      return body.data.token
    },
  }
}

/** Lists every queue that the gateway can declare under this prefix. */
function listQueues(prefix: string): string[] {
  const topology = createTopology(prefix)
  return fixedQueues(topology).map((spec) => spec.name)
}
