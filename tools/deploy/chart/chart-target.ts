import type { AttackTarget } from '../deployments/attack-steps.ts'
import { firstPodPort, type ChartInstallation } from './installation.ts'
import { pidOf, podman } from './podman.ts'

/** Describes the chart on podman, with its engines at the addresses of their containers. */
export function openChartTarget(chart: ChartInstallation): AttackTarget {
  const admin = environmentOf('postern-admin-1-a-admin')
  const [apiPassword, workerPassword, adminPassword] = ['api', 'worker', 'admin'].map(
    (role) => new URL(environmentOf(`postern-${role}-1-a-${role}`).POSTERN_DATABASE_URL!).password,
  )
  const [database, broker, valkey] = ['database', 'broker', 'valkey'].map(addressOfEngine)
  return {
    port: firstPodPort,
    key: chart.key,
    hostsInside: [
      'database:5432',
      'broker:5672',
      'valkey:6379',
      'localhost:9090',
      '169.254.169.254',
      '10.96.0.1',
      database!,
      broker!,
      valkey!,
      '[::1]:9090',
      '0.0.0.0:9090',
    ],
    secrets: [
      chart.key,
      admin.MASTER_KEY!,
      admin.POSTERN_TOKEN_SECRET!,
      apiPassword!,
      workerPassword!,
      adminPassword!,
    ],
    volumes: null,
    pid: pidOf('postern-api-1-a-api'),
    databaseUrl: `postgres://postern:secret@${database}/postern`,
    environment: {
      POSTERN_DATABASE_URL: `postgres://postern_admin:${adminPassword}@${database}/postern`,
      POSTERN_BROKER_URLS: `amqp://postern:secret@${broker}`,
      POSTERN_REDIS_URL: `redis://:secret@${valkey}`,
      POSTERN_QUEUE_PREFIX: 'postern.',
      POSTERN_MASTER_KEY: 'env:MASTER_KEY',
      MASTER_KEY: admin.MASTER_KEY!,
    },
    readLogs: () =>
      chart
        .containers()
        .map((name) => podman('logs', name))
        .join('\n'),
    readBrokerLog: () => podman('logs', 'broker'),
  }
}

function addressOfEngine(name: string): string {
  return podman('inspect', '--format', '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}', name)
}

function environmentOf(name: string): Readonly<Record<string, string>> {
  const lines = JSON.parse(podman('inspect', '--format', '{{json .Config.Env}}', name)) as string[]
  return Object.fromEntries(lines.map((line) => [line.split('=')[0]!, line.slice(line.indexOf('=') + 1)]))
}
