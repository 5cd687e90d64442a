import type { AttackTarget } from './attack-steps.ts'
import type { Installation } from './installation.ts'

const engines = ['postgres', 'rabbitmq', 'valkey'] as const
const secretSettings = [
  'MASTER_KEY',
  'POSTERN_TOKEN_SECRET',
  'BROKER_PASSWORD',
  'DATABASE_PASSWORD',
  'DATABASE_API_PASSWORD',
  'DATABASE_WORKER_PASSWORD',
  'DATABASE_ADMIN_PASSWORD',
  'DATABASE_CLI_PASSWORD',
  'VALKEY_PASSWORD',
]

/** Describes an installation with Compose, with its engines at the addresses of their containers. */
export async function openComposeTarget(
  installation: Installation,
  volumes: string | null,
): Promise<AttackTarget> {
  const setting = (name: string): string => installation.setting(name)
  const [postgres, rabbitmq, valkey, api] = await Promise.all(
    [...engines, 'api'].map((service) => installation.addressOf(service)),
  )
  const database = (user: string, password: string): string =>
    `postgres://${user}:${setting(password)}@${postgres}:5432/postern`
  return {
    port: 8080,
    key: installation.key,
    hostsInside: [
      'postgres:5432',
      'rabbitmq:5672',
      'valkey:6379',
      'api:9090',
      'localhost:9090',
      '169.254.169.254',
      postgres!,
      rabbitmq!,
      valkey!,
      api!,
    ],
    secrets: [installation.key, ...secretSettings.map(setting)],
    volumes,
    pid: Number(await installation.docker('inspect', '--format', '{{.State.Pid}}', 'postern-api-1')),
    databaseUrl: database('postern', 'DATABASE_PASSWORD'),
    environment: {
      POSTERN_DATABASE_URL: database('postern_cli', 'DATABASE_CLI_PASSWORD'),
      POSTERN_BROKER_URLS: `amqp://postern:${setting('BROKER_PASSWORD')}@${rabbitmq}:5672`,
      POSTERN_REDIS_URL: `redis://:${setting('VALKEY_PASSWORD')}@${valkey}:6379`,
      POSTERN_QUEUE_PREFIX: 'postern.',
      POSTERN_MASTER_KEY: 'env:MASTER_KEY',
      MASTER_KEY: setting('MASTER_KEY'),
    },
    readLogs: () => installation.compose('--profile', '*', 'logs', '--no-color'),
    readBrokerLog: () => installation.compose('logs', '--no-color', 'rabbitmq'),
  }
}
