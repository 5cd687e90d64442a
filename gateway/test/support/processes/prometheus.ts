/**
 * Runs a Prometheus server (Debian package `prometheus`) that scrapes every second and evaluates the rules of
 * deploy/alerts.yml.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { choosePort } from '../../../../tools/engines/free-ports.ts'
import { waitFor } from '../wait.ts'
import { forgetExited, killAtExit } from './process-cleanup.ts'
import { projectRoot } from './program.ts'

interface PrometheusResponse<Data> {
  readonly status: string
  readonly error?: string
  readonly data: Data
}

export interface AlertRule {
  readonly name: string
  readonly health: string
  readonly state: 'inactive' | 'pending' | 'firing'
  readonly lastError?: string
}

export interface Prometheus {
  query<Data>(path: string, parameters?: Readonly<Record<string, string>>): Promise<PrometheusResponse<Data>>
  alertRules(): Promise<readonly AlertRule[]>
  stop(): Promise<void>
}

/** `scrapeConfigs` are entries of `scrape_configs` in prometheus.yml. */
export async function startPrometheus(scrapeConfigs: readonly object[]): Promise<Prometheus> {
  const directory = mkdtempSync(join(tmpdir(), 'postern-prometheus-'))
  const port = await choosePort()
  const config = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: [join(projectRoot, 'deploy/alerts.yml')],
    scrape_configs: scrapeConfigs,
  }
  // JSON is valid YAML.
  writeFileSync(join(directory, 'prometheus.yml'), JSON.stringify(config))
  const child = spawn(
    'prometheus',
    [
      `--config.file=${join(directory, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(directory, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--enable-feature=exemplar-storage',
    ],
    { stdio: 'ignore' },
  )
  const failure = new Promise<never>((_, reject) => {
    child.once('error', () =>
      reject(
        new Error('prometheus is not installed; run: apt-get install --no-install-recommends prometheus'),
      ),
    )
  })
  killAtExit(child.pid ?? 0)
  const url = `http://127.0.0.1:${port}`
  const isReady = (): Promise<boolean> =>
    fetch(`${url}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
  await Promise.race([waitFor('prometheus', isReady, { timeoutMs: 30_000 }), failure])
  const query: Prometheus['query'] = async (path, parameters = {}) =>
    (await (
      await fetch(`${url}/api/v1/${path}?${new URLSearchParams(parameters).toString()}`)
    ).json()) as never
  return {
    query,
    async alertRules() {
      const { data } = await query<{ groups: readonly { rules: readonly AlertRule[] }[] }>('rules')
      return data.groups.flatMap((group) => group.rules)
    },
    async stop() {
      if (child.exitCode === null) {
        const ended = once(child, 'exit')
        child.kill('SIGTERM')
        await ended
      }
      forgetExited(child.pid ?? 0)
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
