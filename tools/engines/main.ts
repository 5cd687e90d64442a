// `npm run engines -- <command>`: runs PostgreSQL, RabbitMQ and Redis for development and tests on the
// project's own ports and data. This file parses the command line and prints.

import { parseArgs } from 'node:util'
import { engineNames } from './engine.ts'
import {
  ensureServices,
  toEnvironment,
  isEngineName,
  killService,
  restartService,
  serviceStatus,
  serviceUrls,
  leaveDatabaseStandby,
  promoteDatabase,
  rejoinDatabaseStandby,
  startService,
  stopService,
  stopServices,
  wipeServices,
} from './index.ts'
import type { EngineName, ServiceStatus, ServiceUrls, Wipeable } from './index.ts'
import { installMissing } from './install/install.ts'
import { servicesDirectory } from './paths.ts'
import { host } from './ports.ts'
import { rabbitmqctl } from './rabbitmq/control.ts'
import { extractRelease } from './releases.ts'

const usage = `npm run engines -- <command>

  up [--cluster 3] [--standby] [--fast]
                       start PostgreSQL, RabbitMQ and Redis if they are stopped; with --cluster 3 three broker
                       nodes and with --standby a PostgreSQL standby, which stay until they are wiped; with
                       --fast PostgreSQL does not flush to the disk until a command without --fast uses it
  down                 stop all engines cleanly
  status               list the engines; the exit code is 1 unless all are ready
  env                  print the URLs as shell exports:  eval "$(npm run -s engines -- env)"
  start <name>         start one engine
  stop <name>          stop one engine cleanly
  restart <name>       stop and start one engine
  kill <name>          kill one engine with SIGKILL
  promote              make the PostgreSQL standby the primary; a running old primary is killed
  leave                let commits no longer wait for the standby, which then cannot be promoted
  rejoin               start the standby, which may be the old primary; commits wait for it again
  wipe [name]          stop all engines, or postgres, rabbitmq or redis, and delete their data
  install [--tests]    install missing Debian packages; with --tests also the packages and third-party
                       parsers of the tests
  rabbitmqctl <…>      run rabbitmqctl on the first node

  --engines today      with any command: RabbitMQ 4.0, PostgreSQL 17 and Valkey 8.1 of Debian 13 instead of
                       the installed engines, with separate ports and data. Requires root; the first use
                       creates a root folder below /var/tmp (700 MB)
  --engines next       the same with RabbitMQ 4.3, PostgreSQL 18 and Valkey 9 of the next Debian

  <name>: ${engineNames.join(', ')}
  All data is in ${servicesDirectory()} (POSTERN_SERVICES_DIR).
`

function formatExports(urls: ServiceUrls): string {
  return Object.entries(toEnvironment(urls))
    .map(([name, value]) => `export ${name}='${value}'\n`)
    .join('')
}

function formatTable(rows: ServiceStatus[]): string {
  const cells = rows.map((row) => [
    row.name,
    row.state,
    String(row.pid ?? '-'),
    `${host}:${row.port}`,
    row.version,
    row.role,
  ])
  const lines = [['engine', 'state', 'pid', 'address', 'version', 'role'], ...cells]
  const widths = lines[0]!.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)))
  return lines
    .map(
      (line) =>
        line
          .map((cell, i) => cell.padEnd(widths[i]!))
          .join('  ')
          .trimEnd() + '\n',
    )
    .join('')
}

async function showStatus(): Promise<number> {
  const rows = await serviceStatus()
  process.stdout.write(rows.length > 0 ? formatTable(rows) : 'no services; run npm run engines -- up\n')
  return rows.length > 0 && rows.every((row) => row.state === 'ready') ? 0 : 1
}

function parseEngineName(text: string | undefined): EngineName {
  if (text !== undefined && isEngineName(text)) return text
  throw new Error(`unknown engine; choose from ${engineNames.join(', ')}`)
}

function parseWipeable(text: string | undefined): Wipeable | undefined {
  if (text === undefined || text === 'postgres' || text === 'rabbitmq' || text === 'redis') return text
  throw new Error('wipe accepts no argument, or one of: postgres, rabbitmq, redis')
}

async function run(args: string[]): Promise<number> {
  const [command, ...rest] = extractRelease(args)
  if (command === 'rabbitmqctl') return rabbitmqctl(rest)
  const { values, positionals } = parseArgs({
    args: rest,
    allowPositionals: true,
    options: {
      cluster: { type: 'string' },
      standby: { type: 'boolean', default: false },
      fast: { type: 'boolean', default: false },
      tests: { type: 'boolean' },
    },
  })
  const name = positionals[0]
  switch (command) {
    case 'up': {
      const cluster = values.cluster === undefined ? {} : { cluster: Number(values.cluster) }
      process.stdout.write(
        formatExports(await ensureServices({ ...cluster, standby: values.standby, fast: values.fast })),
      )
      return 0
    }
    case 'down':
      await stopServices()
      return 0
    case 'status':
      return showStatus()
    case 'env':
      process.stdout.write(formatExports(serviceUrls()))
      return 0
    case 'start':
      await startService(parseEngineName(name))
      return 0
    case 'stop':
      await stopService(parseEngineName(name))
      return 0
    case 'restart':
      await restartService(parseEngineName(name))
      return 0
    case 'kill':
      await killService(parseEngineName(name))
      return 0
    case 'promote':
      await promoteDatabase()
      return 0
    case 'leave':
      await leaveDatabaseStandby()
      return 0
    case 'rejoin':
      await rejoinDatabaseStandby()
      return 0
    case 'wipe':
      await wipeServices(parseWipeable(name))
      return 0
    case 'install':
      await installMissing({ tests: values.tests ?? false })
      return 0
    default:
      process.stdout.write(usage)
      return command === undefined || command === 'help' || command === '--help' ? 0 : 2
  }
}

try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
