/**
 * The environment of the guides: a copy of the checkout in an empty folder, its own database and queues on
 * the given engines, free ports, and no settings of the caller. Everything is removed at the end.
 */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cpSync, existsSync, mkdtempSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { choosePorts } from '../../engines/free-ports.ts'
import { createOwnDatabase } from '../../engines/postgres/own-database.ts'
import { projectRoot } from '../../engines/paths.ts'

export interface Surroundings {
  readonly checkout: string
  /** Folder for files of the runner itself. */
  readonly scratch: string
  readonly environment: NodeJS.ProcessEnv
  remove(): Promise<void>
}

export async function prepareSurroundings({ linked }: { linked: boolean }): Promise<Surroundings> {
  const folder = mkdtempSync(join(tmpdir(), 'postern-guides-'))
  const checkout = join(folder, 'postern')
  const scratch = join(folder, 'scratch')
  for (const path of [checkout, scratch]) mkdirSync(path)
  copyCheckout(checkout)
  if (linked) symlinkSync(join(projectRoot, 'node_modules'), join(checkout, 'node_modules'))
  const prefix = `guides${randomBytes(3).toString('hex')}.`
  const database = await createOwnDatabase(required('POSTERN_DATABASE_URL'))
  const [api, ops, receiver, admin, signIn] = await choosePorts(5)
  const environment: NodeJS.ProcessEnv = {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(POSTERN|npm)_/.test(name))),
    POSTERN_DATABASE_URL: database.url,
    POSTERN_BROKER_URLS: required('POSTERN_BROKER_URLS'),
    POSTERN_REDIS_URL: required('POSTERN_REDIS_URL'),
    POSTERN_QUEUE_PREFIX: prefix,
    POSTERN_HTTP_PORT: String(api),
    POSTERN_OPS_PORT: String(ops),
    POSTERN_ADMIN_PORT: String(admin),
    POSTERN_DEV_SIGN_IN_PORT: String(signIn),
    // No load balancer needs to notice that a gateway stops.
    POSTERN_DRAIN_DELAY_SECONDS: '0',
    RECEIVER_PORT: String(receiver),
    npm_config_cache: process.env.npm_config_cache ?? join(process.env.HOME ?? '/root', '.npm'),
    npm_config_prefix: join(folder, 'global'),
    npm_config_prefer_offline: 'true',
    PATH: [join(folder, 'global/bin'), dirname(process.execPath), process.env.PATH].join(':'),
  }
  return {
    checkout,
    scratch,
    environment,
    async remove() {
      await database.drop()
      deleteQueues(required('POSTERN_BROKER_URLS').split(',')[0]!, prefix)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Copies the files that git tracks or would track, including uncommitted changes. */
function copyCheckout(target: string): void {
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const files = execFileSync('git', list, { cwd: projectRoot, encoding: 'utf8', maxBuffer: 64e6 }).split('\0')
  for (const file of files) {
    const source = join(projectRoot, file)
    if (file !== '' && file !== 'node_modules' && existsSync(source)) cpSync(source, join(target, file))
  }
}

/** Runs in a child process, so that this module does not import the gateway. */
function deleteQueues(broker: string, prefix: string): void {
  const module = join(projectRoot, 'gateway/test/support/processes/delete-queues.ts')
  const program = `import(process.argv[1]).then((m) => m.deleteQueues(process.argv[2], process.argv[3]))`
  execFileSync(process.execPath, ['-e', program, module, broker, prefix], { stdio: 'inherit' })
}

function required(name: string): string {
  const value = process.env[name]
  if (value === undefined) throw new Error(`${name} is not set; run \`npm run suite -- guides\``)
  return value
}
