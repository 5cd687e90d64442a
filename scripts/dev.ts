// `npm run dev`: everything on this machine, from nothing to a first message. Services, migrations, the sandbox account of
// `postern demo` and the gateway; prints the commands that send a message and show its report, and a link that opens the
// console on a sandbox with messages of every channel (scripts/dev/open-console.ts).
// Ctrl-C stops the gateway, and the services if this command started them. With
// POSTERN_DATABASE_URL, POSTERN_BROKER_URLS and POSTERN_REDIS_URL set it uses those engines and starts none.

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { ensureAccount } from './dev/accounts.ts'
import { writeEnvironment } from './dev/first-message.ts'
import { buildConsole, createRunJson, openConsole, type OpenedConsole } from './dev/open-console.ts'
import { ensureOperator } from './dev/operator.ts'
import { startProcess, type Child } from './dev/processes.ts'
import { canSend } from './dev/readiness.ts'
import { chooseServices, describeServices } from './services/choose-services.ts'
import { happensWithin } from './services/happens-within.ts'
import { ensureServices, environmentOf, serviceStatus, stopServices } from './services/index.ts'
import { projectRoot, servicesDirectory } from './services/paths.ts'
import { print } from './services/print.ts'
import { readSet, urlsOf } from './services/service-set.ts'

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
const { given, warning } = chooseServices(process.env, set && environmentOf(urlsOf(set)))
if (warning !== undefined) print(warning)
print(
  given
    ? `engines given in the environment: ${describeServices(given)}`
    : "starting the project's own services",
)
const stopsServices = !given && !(await serviceStatus()).some((engine) => engine.state === 'ready')
const building = buildConsole(projectRoot)
const services = given ?? environmentOf(await ensureServices())
const environment: NodeJS.ProcessEnv = {
  // A webhook of a receiver on this machine can be tried.
  POSTERN_WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  // The simulated carriers listen on this machine.
  POSTERN_ROUTE_NETWORKS: '127.0.0.0/8',
  ...process.env,
  ...services,
  POSTERN_PRIVILEGED_DATABASE_USER: 'warn',
  POSTERN_TOKEN_SECRET: 'for-development-only-for-development-only',
  POSTERN_HTTP_PORT: ports.api,
  POSTERN_OPS_PORT: ports.ops,
  // An admin signs in by a link: never on an address that others reach.
  POSTERN_ADMIN_HOST: '127.0.0.1',
  POSTERN_ADMIN_PORT: ports.admin,
  POSTERN_SANDBOX_PHONES: 'yes',
}
let gateway: Child | null = null
let opened: OpenedConsole | null = null
process.on('SIGINT', () => void stop(0))
process.on('SIGTERM', () => void stop(0))

try {
  print('migrating the database, creating the accounts and the routes')
  const run = createRunJson(program, environment)
  await run(['migrate'])
  // Where there is an operator, commands need its key.
  const operator = await ensureOperator(run, services.POSTERN_DATABASE_URL, operatorFile)
  const key = operator?.key
  const apiKey = await ensureAccount(run, 'demo', join(logs, 'demo.key'), key)
  const examplesKey = await ensureAccount(run, 'examples', join(logs, 'examples.key'), key)
  // Accounts that a developer adds have a route, and any number may send at any time; docs/trust.md lists the rules.
  await run(['route', 'put', 'sandbox', '--protocol', 'sandbox', '--channels', channels], key)
  await run(['trust', 'disable', 'all', '--reason', 'development'], key)
  print('starting the gateway')
  gateway = startProcess('gateway', [...program, 'all'], environment, logs, onExit)
  await gateway.untilLine('api listening')
  if (!(await happensWithin(startWithinMs, () => canSend(`http://127.0.0.1:${ports.ops}`, 'sandbox-demo')))) {
    throw new Error(`The gateway was not ready within ${startWithinMs / 1000} s`)
  }
  const base = `http://127.0.0.1:${ports.api}`
  await building
  const admin = `http://127.0.0.1:${ports.admin}`
  const report = (problem: string): void => print(`example messages: ${problem}`)
  if (operator !== null)
    opened = await openConsole(
      { operator, operatorFile, apiKey: examplesKey, run },
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
             ${opened === null ? 'sign in as an operator of this database: it is not on this machine, or has operators of others' : `${opened.link} opens its sandbox and signs in; for this machine alone`}
  API        ${base}, reference at ${base}/docs
  ops        http://127.0.0.1:${ports.ops}/readyz  /metrics
  engines    ${describeServices(services)} (${given ? 'given in the environment' : "the project's own"})
  account    demo, made by \`postern demo\`
  logs       ${logs}

In another terminal:

  . ${file}
  curl -s $POSTERN/v1/send/sms -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
    -d '{"from":"0212345678","to":"01000000001","text":"Hello from Postern","ref":"first"}'
  curl -s $POSTERN/v1/report/polling -H "Authorization: Bearer $TOKEN"
  postern message show <msgKey>

The last four digits of the recipient choose the outcome: 0001 is delivered, 0002 fails, and many more in
docs/connectors/sandbox.md. Ctrl-C stops everything that this command has started.
`)
} catch (error) {
  process.stderr.write(`${(error as Error).message}\nThe logs are in ${logs}\n`)
  await stop(1)
}

/** Where the README says, also when the engines cannot have their data below this checkout, such as below /root. */
function environmentFolder(): string {
  const folder = process.env.POSTERN_SERVICES_DIR ? logs : join(projectRoot, '.services/dev')
  mkdirSync(folder, { recursive: true })
  return folder
}

function onExit(name: string): void {
  process.stderr.write(`The ${name} ended unexpectedly; its log is in ${logs}\n`)
  void stop(1)
}

async function stop(code: number): Promise<void> {
  opened?.close()
  await gateway?.stop()
  if (stopsServices && process.env.POSTERN_KEEP_SERVICES !== '1') await stopServices()
  process.exit(code)
}
