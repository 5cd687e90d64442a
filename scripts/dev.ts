// `npm run dev`: everything on this machine, from nothing to a first message. Services, migrations, a sandbox
// account, the simulated carrier and the gateway; prints the commands that send and that show the report.
// Ctrl-C stops the gateway and the simulator, and the services if this command started them.

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { issueToken, writeEnvironment } from './dev/first-message.ts'
import { startProcess, type Child } from './dev/processes.ts'
import { seed } from './dev/seed.ts'
import { ensureServices, environmentOf, serviceStatus, stopServices } from './services/index.ts'
import { projectRoot, servicesDirectory } from './services/places.ts'

const ports = {
  api: process.env.POSTERN_HTTP_PORT ?? '8080',
  ops: process.env.POSTERN_OPS_PORT ?? '9090',
  smsc: process.env.POSTERN_DEV_SMSC_PORT ?? '2775',
  control: process.env.POSTERN_DEV_SMSC_CONTROL_PORT ?? '2776',
}

const started = performance.now()
const logs = join(servicesDirectory(), 'dev')
mkdirSync(logs, { recursive: true })

const ranBefore = (await serviceStatus()).some((engine) => engine.state === 'ready')
const environment = {
  ...process.env,
  ...environmentOf(await ensureServices()),
  POSTERN_TOKEN_SECRET: 'for-development-only-for-development-only',
  POSTERN_HTTP_PORT: ports.api,
  POSTERN_OPS_PORT: ports.ops,
}
const children: Child[] = []
process.on('SIGINT', () => void stop(0))
process.on('SIGTERM', () => void stop(0))

try {
  const smsc = [
    join(projectRoot, 'simulator/src/main.ts'),
    'smsc',
    '--port',
    ports.smsc,
    '--control-port',
    ports.control,
  ]
  const simulator = startProcess(
    'simulator',
    [...smsc, '--receipt-delay-ms', '200'],
    environment,
    logs,
    onExit,
  )
  children.push(simulator)
  await simulator.untilLine('"ready"')
  const account = await seed(environment, Number(ports.smsc), join(logs, 'account.json'))
  const gateway = startProcess(
    'gateway',
    [join(projectRoot, 'gateway/src/main.ts'), 'all'],
    environment,
    logs,
    onExit,
  )
  children.push(gateway)
  await Promise.all([gateway.untilLine('api listening'), gateway.untilLine('carrier linked')])
  const base = `http://127.0.0.1:${ports.api}`
  const token = await issueToken(base, account)
  const file = writeEnvironment(logs, base, token)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  process.stdout.write(`
Postern is up after ${seconds} s.

  API        ${base}
  ops        http://127.0.0.1:${ports.ops}/readyz  /metrics
  simulator  SMPP 127.0.0.1:${ports.smsc}, control http://127.0.0.1:${ports.control}/stats
  account    ${account.clientId} / ${account.password}
  logs       ${logs}

In another terminal:

  . ${file}
  curl -s $POSTERN/v1/send/sms -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
    -d '{"from":"0212345678","to":"01000000001","text":"Hello from Postern","ref":"first"}'
  curl -s $POSTERN/v1/report/polling -H "Authorization: Bearer $TOKEN"

The recipient's last four digits choose what the simulated carrier does: 0001 delivers, 0002 fails, and many more in
simulator/README.md. Ctrl-C stops everything.
`)
} catch (error) {
  process.stderr.write(`${(error as Error).message}\nThe logs are in ${logs}\n`)
  await stop(1)
}

function onExit(name: string): void {
  process.stderr.write(`the ${name} ended by itself; its log is in ${logs}\n`)
  void stop(1)
}

async function stop(code: number): Promise<void> {
  await Promise.all(children.splice(0).map((child) => child.stop()))
  if (!ranBefore && process.env.POSTERN_KEEP_SERVICES !== '1') await stopServices()
  process.exit(code)
}
