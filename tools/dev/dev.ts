// `npm run dev`: starts everything on this machine: services, migrations, the sandbox account of `postern
// demo` and the gateway. Prints the commands that send a first message and show its report, and a link to the
// console with example messages of every channel (tools/dev/open-console.ts). Ctrl-C stops the gateway, and
// the services if this command started them. With POSTERN_DATABASE_URL, POSTERN_BROKER_URLS and
// POSTERN_REDIS_URL set, it uses those engines and starts none. Without engines on this machine it starts them
// with Docker (tools/dev/container-engines.ts).

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { ensureAccount } from './accounts.ts'
import {
  containersRun,
  containerUrls,
  needsContainers,
  startContainers,
  stopContainers,
} from './container-engines.ts'
import { writeEnvironment } from './first-message.ts'
import { buildConsole, createRunJson, openConsole, type OpenedConsole } from './open-console.ts'
import { ensureOperator } from './operator.ts'
import { startProcess, type Child } from './processes.ts'
import { canSend } from './readiness.ts'
import { chooseServices, describeServices } from '../engines/choose-services.ts'
import { waitForCondition } from '../engines/wait-for-condition.ts'
import { ensureServices, toEnvironment, serviceStatus, stopServices } from '../engines/index.ts'
import { projectRoot, servicesDirectory } from '../engines/paths.ts'
import { print } from '../engines/print.ts'
import { readSet, createUrls } from '../engines/service-set.ts'

const startWithinMs = 60_000
const ports = {
  api: process.env.POSTERN_HTTP_PORT ?? '8080',
  ops: process.env.POSTERN_OPS_PORT ?? '9090',
  admin: process.env.POSTERN_ADMIN_PORT ?? '8090',
  signIn: process.env.POSTERN_DEV_SIGN_IN_PORT ?? '8091',
}

const channels = 'sms,international,mms,rcs,alimtalk,friendtalk,brandmessage'

const started = performance.now()
const logs = join(servicesDirectory(), 'dev')
mkdirSync(logs, { recursive: true })
const operatorFile = join(logs, 'operator.json')
const program = [process.execPath, join(projectRoot, 'gateway/src/main.ts')] as const

const set = readSet()
const inContainers = set === undefined && needsContainers()
const ownEngines = inContainers ? containerUrls : set && toEnvironment(createUrls(set))
const { external, warning } = chooseServices(process.env, ownEngines)
if (warning !== undefined) print(warning)
print(
  external
    ? `engines given in the environment: ${describeServices(external)}`
    : `starting the project's own services${inContainers ? ' in containers' : ''}`,
)
const stopsServices = !external && !(await ownServicesRun())
const building = buildConsole(projectRoot)
const services = external ?? (inContainers ? startContainers() : toEnvironment(await ensureServices()))
const environment: NodeJS.ProcessEnv = {
  // Allow webhook receivers on this machine, without a proof.
  POSTERN_WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  POSTERN_WEBHOOK_VERIFICATION: 'no',
  // The simulated carriers listen on this machine.
  POSTERN_ROUTE_NETWORKS: '127.0.0.0/8',
  ...process.env,
  ...services,
  POSTERN_PRIVILEGED_DATABASE_USER: 'warn',
  POSTERN_TOKEN_SECRET: 'for-development-only-for-development-only',
  POSTERN_HTTP_PORT: ports.api,
  POSTERN_OPS_PORT: ports.ops,
  // The link signs in an admin, so never listen on a public address.
  POSTERN_ADMIN_HOST: '127.0.0.1',
  POSTERN_ADMIN_PORT: ports.admin,
  POSTERN_SANDBOX_PHONES: 'yes',
}
let gateway: Child | null = null
let opened: OpenedConsole | null = null
process.on('SIGINT', () => void stop(0))
process.on('SIGTERM', () => void stop(0))

try {
  print('migrating the database and starting the gateway')
  const run = createRunJson(program, environment)
  await run(['migrate'])
  gateway = startProcess('gateway', [...program, 'all'], environment, logs, onExit)
  const operator = await ensureOperator(run, services.POSTERN_DATABASE_URL, operatorFile)
  const key = operator?.key
  await gateway.untilLine('admin API listening')
  print('creating the accounts and the routes')
  const admin = `http://127.0.0.1:${ports.admin}`
  // The running gateway executes a command in a fraction of the time that a command needs by itself. Without an
  // operator of its own, this command has no key for it.
  const change =
    operator === null ? run : createRunJson(program, { ...environment, POSTERN_ADMIN_URL: admin })
  const [apiKey, examplesKey] = await Promise.all([
    ensureAccount(change, 'demo', join(logs, 'demo.key'), key),
    ensureAccount(change, 'examples', join(logs, 'examples.key'), key),
    // Give accounts that a developer adds a route, and allow every number at any time; see
    // docs/reference/rules.md.
    change(['route', 'put', 'sandbox', '--protocol', 'sandbox', '--channels', channels], key),
    change(['trust', 'disable', 'all', '--reason', 'development'], key),
  ])
  if (
    !(await waitForCondition(startWithinMs, () => canSend(`http://127.0.0.1:${ports.ops}`, 'sandbox-demo')))
  ) {
    throw new Error(`The gateway was not ready within ${startWithinMs / 1000} s`)
  }
  const base = `http://127.0.0.1:${ports.api}`
  await building
  const report = (problem: string): void => print(`example messages: ${problem}`)
  if (operator !== null)
    opened = await openConsole(
      { operator, operatorFile, apiKey: examplesKey },
      { base, admin, signInPort: Number(ports.signIn) },
      report,
    )
  const file = writeEnvironment(environmentFolder(), {
    base,
    key: apiKey,
    environment: { ...environment, POSTERN_OPERATOR_KEY: key },
  })
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  process.stdout.write(`
Postern is up after ${seconds} s.

  console    ${admin}/
             ${opened === null ? 'sign in as an operator of this database, which is remote or has other operators' : `${opened.link} opens its sandbox and signs in; works on this machine only`}
  API        ${base}, reference at ${base}/docs
  ops        http://127.0.0.1:${ports.ops}/readyz  /metrics
  engines    ${describeServices(services)} (${external ? 'given in the environment' : "the project's own"})
  account    demo, made by \`postern demo\`
  logs       ${logs}

In another terminal:

  . ${file}
  curl -s $POSTERN/v1/send/sms -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
    -d '{"from":"0212345678","to":"01000000001","text":"Hello from Postern","ref":"first"}'
  curl -s $POSTERN/v1/report/polling -H "Authorization: Bearer $TOKEN"
  postern message show <msgKey>

The last four digits of the recipient choose the outcome: 0001 is delivered, 0002 fails, and many more in
docs/reference/connectors/sandbox.md. Ctrl-C stops everything that this command has started.
`)
} catch (error) {
  process.stderr.write(`${(error as Error).message}\nThe logs are in ${logs}\n`)
  await stop(1)
}

/**
 * Returns the folder that the README names, even if the engines cannot keep their data below this checkout
 * (for example below /root).
 */
function environmentFolder(): string {
  const folder = process.env.POSTERN_SERVICES_DIR ? logs : join(projectRoot, '.services/dev')
  mkdirSync(folder, { recursive: true })
  return folder
}

async function ownServicesRun(): Promise<boolean> {
  if (inContainers) return containersRun()
  return (await serviceStatus()).some((engine) => engine.state === 'ready')
}

function onExit(name: string): void {
  process.stderr.write(`The ${name} exited unexpectedly; see the log in ${logs}\n`)
  void stop(1)
}

async function stop(code: number): Promise<void> {
  opened?.close()
  await gateway?.stop()
  if (stopsServices && process.env.POSTERN_KEEP_SERVICES !== '1')
    await (inContainers ? stopContainers() : stopServices())
  process.exit(code)
}
