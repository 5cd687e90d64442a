/**
 * A complete installation for one test: a new database, queues under a random prefix, and real gateway and
 * simulator processes. Commands and processes have their own database users, as `postern database roles`
 * creates them. Closing it removes everything except the logs of a failed run. The URLs of the engines come
 * from the environment.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createDatabaseUsers,
  dropDatabaseUsers,
  createUserUrl,
  type DatabaseUser,
} from '../engines/database-users.ts'
import { composeEnvironment } from './compose-environment.ts'
import { prepareIn, type Environment } from './postern-command.ts'
import { createDatabase, dropDatabase, query } from './scratch-database.ts'
import { cloneInstalled } from './installed-database.ts'
import { Gateway, type RoleName } from './gateway.ts'
import { projectRoot, type Program } from './program.ts'
import { deleteQueues } from './delete-queues.ts'
import { onInterrupt } from './process-cleanup.ts'
import { HttpSimulator, SimulatedCarrier, Simulator, type HttpCarrierName } from './simulator.ts'

export interface RouteOptions {
  readonly id: string
  readonly channels: readonly string[]
  /** SMSC of a route over SMPP. */
  readonly simulator?: Simulator
  /** Protocol of a route without an SMSC; defaults to the sandbox. */
  readonly protocol?: string
  readonly options?: Readonly<Record<string, unknown>>
  readonly partsPerSecond?: number
  /** More options of `postern route put`. */
  readonly flags?: readonly string[]
}

export interface InstallationOptions {
  /**
   * Keeps the trust rules of a new installation enabled; by default all are disabled, and a test enables
   * those under test.
   */
  readonly keepsRules?: boolean
  /** URL of the database server; defaults to the one in the environment. */
  readonly serverUrl?: string
  /**
   * A checkout of an earlier release, whose schema, processes and commands it begins with. They use the
   * database as its owner.
   */
  readonly earlier?: string
  /**
   * Runs commands and processes with the environment of compose.yaml; only URLs and settings of the test
   * differ.
   */
  readonly shipped?: boolean
}

export class TestInstallation {
  /** Folder with the logs of all its processes. */
  readonly directory = mkdtempSync(join(tmpdir(), 'postern-test-'))
  readonly name = `postern_run_${randomBytes(5).toString('hex')}`
  /** URL for the owner of the tables. */
  readonly databaseUrl: string
  /** Environment of commands. */
  readonly environment: Environment
  readonly #host: Environment
  readonly #serverUrl: string
  readonly #brokerUrls: string
  readonly #earlier: boolean
  readonly #shipped: boolean
  #root: string
  readonly #programs: Program[] = []
  readonly #forget: () => void

  private constructor(
    settings: Environment,
    host: Environment,
    { serverUrl = required('POSTERN_DATABASE_URL'), earlier, shipped = false }: InstallationOptions,
  ) {
    this.#host = host
    this.#serverUrl = serverUrl
    this.#earlier = earlier !== undefined
    this.#shipped = shipped
    this.#root = earlier ?? projectRoot
    this.#brokerUrls = required('POSTERN_BROKER_URLS')
    const database = new URL(this.#serverUrl)
    database.pathname = `/${this.name}`
    this.databaseUrl = database.href
    const redisUrl = process.env.POSTERN_REDIS_URL
    this.environment = {
      ...(shipped ? composeEnvironment('command') : {}),
      POSTERN_DATABASE_URL: this.#urlOf('cli'),
      POSTERN_BROKER_URLS: this.#brokerUrls,
      ...(redisUrl === undefined ? {} : { POSTERN_REDIS_URL: redisUrl }),
      POSTERN_QUEUE_PREFIX: `${this.name}.`,
      POSTERN_TOKEN_SECRET: randomBytes(24).toString('hex'),
      POSTERN_ROUTE_NETWORKS: '127.0.0.0/8,::1/128',
      // Receivers of suites acknowledge everything.
      POSTERN_WEBHOOK_VERIFICATION: 'no',
      // No load balancer follows /readyz here, so there is nothing to wait for.
      POSTERN_DRAIN_DELAY_SECONDS: '0',
      ...settings,
      ...host,
    }
    this.#forget = onInterrupt(() => this.#remove())
  }

  /**
   * `settings` are additional POSTERN_ variables for every gateway process and command; `host` are variables for
   * the simulators as well.
   */
  static async open(
    settings: Environment = {},
    host: Environment = {},
    options: InstallationOptions = {},
  ): Promise<TestInstallation> {
    const installation = new TestInstallation(settings, host, options)
    const { databaseUrl, name } = installation
    if (options.serverUrl === undefined && options.earlier === undefined && host.LD_PRELOAD === undefined) {
      await cloneInstalled(installation.#serverUrl, name, (url) => installation.#migrate(url))
    } else {
      await createDatabase(installation.#serverUrl, name)
      await installation.migrate()
    }
    if (options.earlier === undefined) await createDatabaseUsers(databaseUrl, name)
    if (options.keepsRules !== true) await query(databaseUrl, 'update trust_rules set enabled = false')
    return installation
  }

  /** Migrates to the release of the current commands. */
  async migrate(): Promise<void> {
    await this.#migrate(this.databaseUrl)
  }

  async #migrate(databaseUrl: string): Promise<void> {
    await prepareIn(this.#root, { ...this.environment, POSTERN_DATABASE_URL: databaseUrl }, 'migrate')
  }

  /** Uses this release for commands and new processes. Existing processes do not change. */
  useThisRelease(): void {
    this.#root = projectRoot
  }

  /** The checkout of the current commands. */
  get root(): string {
    return this.#root
  }

  /** Returns the database URL for processes of a role. */
  databaseUrlOf(role: RoleName): string {
    return this.#urlOf(role === 'smpp-server' ? 'api' : role)
  }

  #environmentOf(role: RoleName): Environment {
    const roleSettings = {
      POSTERN_DATABASE_URL: this.databaseUrlOf(role),
      ...(this.#earlier ? { POSTERN_PRIVILEGED_DATABASE_USER: 'warn' } : {}),
    }
    if (!this.#shipped) return { ...this.environment, ...roleSettings }
    const variables = composeEnvironment(role)
    const user = new URL(variables.POSTERN_DATABASE_URL!).username.replace('postern_', '') as DatabaseUser
    const { POSTERN_TOKEN_SECRET: secret, ...others } = this.environment
    return {
      ...variables,
      ...others,
      ...('POSTERN_TOKEN_SECRET' in variables ? { POSTERN_TOKEN_SECRET: secret! } : {}),
      POSTERN_DATABASE_URL: this.#urlOf(role === 'all' ? 'all' : user),
    }
  }

  #urlOf(user: DatabaseUser): string {
    return this.#earlier ? this.databaseUrl : createUserUrl(this.databaseUrl, this.name, user)
  }

  /** Starts an SMSC. */
  startSimulator(name: string, ...args: string[]): Promise<Simulator> {
    const { directory } = this
    return this.#startCarrier(new Simulator({ name, args, directory, environment: this.#host }))
  }

  /** Starts a carrier over HTTP. */
  startHttpSimulator(carrier: HttpCarrierName, name: string, ...args: string[]): Promise<HttpSimulator> {
    const { directory } = this
    return this.#startCarrier(new HttpSimulator(carrier, { name, args, directory, environment: this.#host }))
  }

  async #startCarrier<Carrier extends Simulator | HttpSimulator>(carrier: Carrier): Promise<Carrier> {
    this.#programs.push(carrier)
    carrier.start()
    await carrier.untilReady()
    return carrier
  }

  /** Starts a process without waiting until it is ready; see `untilReady`. */
  async startGateway(role: RoleName, name: string, settings: Environment = {}): Promise<Gateway> {
    const environment = { ...this.#environmentOf(role), ...settings }
    const gateway = await Gateway.create(role, name, environment, this.directory, this.#root)
    this.#programs.push(gateway)
    gateway.start()
    return gateway
  }

  async putRoute(route: RouteOptions): Promise<void> {
    const { id, channels, simulator } = route
    const link = simulator === undefined ? {} : { host: '127.0.0.1', port: simulator.port, systemId: id }
    const options = { ...link, ...route.options }
    await prepareIn(
      this.#root,
      this.environment,
      ...['route', 'put', id, '--channels', channels.join(','), '--options', JSON.stringify(options)],
      ...['--protocol', simulator === undefined ? (route.protocol ?? 'sandbox') : 'smpp'],
      ...['--parts-per-second', String(route.partsPerSecond ?? 0)],
      ...(route.flags ?? []),
    )
  }

  /** Exits of processes that the test did not request. */
  get unexpectedExits(): string[] {
    return this.#programs.flatMap((program) => program.unexpectedExits)
  }

  /** Stops gateways, then simulators. Returns the names of processes that had to be killed. */
  async close(failed: boolean): Promise<string[]> {
    const late: string[] = []
    for (const simulators of [false, true]) {
      const programs = this.#programs.filter((program) => program instanceof SimulatedCarrier === simulators)
      await Promise.all(
        programs.map(async (program) => {
          if (program instanceof SimulatedCarrier) program.closeControl()
          if (!(await program.stop())) late.push(program.name)
        }),
      )
    }
    await this.#remove()
    this.#forget()
    if (failed || late.length > 0) process.stdout.write(`logs: ${this.directory}\n`)
    else rmSync(this.directory, { recursive: true, force: true })
    return late
  }

  async #remove(): Promise<void> {
    await Promise.all([
      dropDatabase(this.#serverUrl, this.name).then(() => dropDatabaseUsers(this.#serverUrl, this.name)),
      deleteQueues(this.#brokerUrls.split(',')[0]!, `${this.name}.`),
    ])
  }
}

function required(name: string): string {
  const value = process.env[name]
  if (value === undefined || value === '') {
    throw new Error(
      `${name} is not set. Run the npm script of this suite, or: node tools/engines/with-services.ts …`,
    )
  }
  return value
}
