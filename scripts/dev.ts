// `npm run dev`: everything on this machine, from nothing to a first message. Services, migrations, a development
// account, the simulated carrier and the gateway; prints the commands that send a message and show its report, and a link
// that opens the console on a sandbox with messages of every channel (scripts/dev/open-console.ts).
// Ctrl-C stops the gateway and the simulator, and the services if this command started them. With
// POSTERN_DATABASE_URL, POSTERN_BROKER_URLS and POSTERN_REDIS_URL set it uses those engines and starts none.

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { ensureDemoAccount } from './dev/demo.ts'
import { issueToken, writeEnvironment } from './dev/first-message.ts'
import { buildConsole, createRunJson, openConsole, type OpenedConsole } from './dev/open-console.ts'
import { ensureOperator } from './dev/operator.ts'
import { startProcess, type Child } from './dev/processes.ts'
import { canSend } from './dev/readiness.ts'
import { seed, simulatorRoute } from './dev/seed.ts'
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
  smsc: process.env.POSTERN_DEV_SMSC_PORT ?? '2775',
  control: process.env.POSTERN_DEV_SMSC_CONTROL_PORT ?? '2776',
  admin: process.env.POSTERN_ADMIN_PORT ?? '8090',
  signIn: process.env.POSTERN_DEV_SIGN_IN_PORT ?? '8091',
}

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
const children: Child[] = []
let opened: OpenedConsole | null = null
process.on('SIGINT', () => void stop(0))
process.on('SIGTERM', () => void stop(0))

try {
  const start = (name: string, script: string, ...args: string[]): Child => {
    print(`starting the ${name}`)
    const child = startProcess(
      name,
      [process.execPath, join(projectRoot, script), ...args],
      environment,
      logs,
      onExit,
    )
    children.push(child)
    return child
  }
  const simulator = start(
    ...(['simulator', 'simulator/src/main.ts', 'smsc'] as const),
    ...['--port', ports.smsc, '--control-port', ports.control, '--receipt-delay-ms', '200'],
  )
  await simulator.untilLine('"ready"')
  print('migrating the database, creating the account and the routes')
  const run = createRunJson(program, environment)
  await run(['migrate'])
  // Where there is an operator, commands need its key.
  const operator = await ensureOperator(run, services.POSTERN_DATABASE_URL, operatorFile)
  const key = operator?.key
  const account = await seed(
    ...([program, { ...environment, POSTERN_OPERATOR_KEY: key }] as const),
    ...([Number(ports.smsc), join(logs, 'account.json')] as const),
  )
  const demo = operator && (await ensureDemoAccount(run, operator.key, join(logs, 'demo-account.json')))
  const gateway = start('gateway', 'gateway/src/main.ts', 'all')
  await gateway.untilLine('api listening')
  if (!(await happensWithin(startWithinMs, () => canSend(`http://127.0.0.1:${ports.ops}`, simulatorRoute)))) {
    throw new Error(`The gateway was not ready within ${startWithinMs / 1000} s`)
  }
  const base = `http://127.0.0.1:${ports.api}`
  const token = await issueToken(base, account)
  await building
  const admin = `http://127.0.0.1:${ports.admin}`
  const report = (problem: string): void => print(`example messages: ${problem}`)
  if (operator !== null && demo !== null)
    opened = await openConsole(
      { operator, operatorFile, account: demo, run },
      { base, admin, signInPort: Number(ports.signIn) },
      report,
    )
  const file = writeEnvironment(environmentFolder(), {
    ...{ base, token },
    environment: { ...environment, POSTERN_OPERATOR_KEY: key },
  })
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  process.stdout.write(`
Postern is up after ${seconds} s.

  console    ${admin}/
             ${opened === null ? 'sign in as an operator of this database: it is not on this machine, or has operators of others' : `${opened.link} opens its sandbox and signs in; for this machine alone`}
  API        ${base}, reference at ${base}/docs
  ops        http://127.0.0.1:${ports.ops}/readyz  /metrics
  simulator  SMPP 127.0.0.1:${ports.smsc}, control http://127.0.0.1:${ports.control}/stats
  engines    ${describeServices(services)} (${given ? 'given in the environment' : "the project's own"})
  account    ${account.clientId} / ${account.password}
  logs       ${logs}

In another terminal:

  . ${file}
  curl -s $POSTERN/v1/send/sms -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
    -d '{"from":"0212345678","to":"01000000001","text":"Hello from Postern","ref":"first"}'
  curl -s $POSTERN/v1/report/polling -H "Authorization: Bearer $TOKEN"
  postern message show <msgKey>

The last four digits of the recipient choose what the simulated carrier does: 0001 delivers, 0002 fails, and many more
in simulator/README.md. Ctrl-C stops everything that this command has started.
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
  await Promise.all(children.splice(0).map((child) => child.stop()))
  if (stopsServices && process.env.POSTERN_KEEP_SERVICES !== '1') await stopServices()
  process.exit(code)
}
