/**
 * A release of the chart on an API server. No controller runs the Job of the migrations: the caller completes
 * or fails it, which shows the order of migrations and processes.
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { projectRoot } from '../engines/paths.ts'
import { waitForCondition } from '../engines/wait-for-condition.ts'
import { chartFolder, helm } from './chart.ts'
import type { ClusterObjects, KubernetesObject } from './cluster-objects.ts'

const execute = promisify(execFile)

export class ChartRelease {
  readonly #objects: ClusterObjects
  readonly #namespace: string
  readonly #kubeconfig: string

  constructor(objects: ClusterObjects, namespace: string, kubeconfig: string) {
    this.#objects = objects
    this.#namespace = namespace
    this.#kubeconfig = kubeconfig
  }

  /** Runs helm and returns its output. */
  async run(command: string, ...args: readonly string[]): Promise<string> {
    const options = ['--namespace', this.#namespace, '--kubeconfig', this.#kubeconfig]
    try {
      const { stdout } = await execute(helm(), [...command.split(' '), 'postern', ...args, ...options], {
        cwd: projectRoot,
        maxBuffer: 64 * 1024 * 1024,
      })
      return stdout
    } catch (error) {
      throw new Error(`helm ${command}: ${(error as { stderr: string }).stderr}`, { cause: error })
    }
  }

  /**
   * Installs or upgrades. `whileMigrating` is called when the Job of the migrations exists and has not ended.
   */
  async apply(
    command: 'install' | 'upgrade',
    values: readonly string[],
    migration: 'Complete' | 'Failed',
    whileMigrating: () => Promise<void>,
  ): Promise<void> {
    const applied = this.run(command, chartFolder, ...values, '--timeout', '120s')
    const migrated = this.#migrate(migration, whileMigrating)
    // The first failure shows the cause; the other one only times out.
    await Promise.race([applied, migrated.then(() => applied)])
    await migrated
  }

  async #migrate(end: 'Complete' | 'Failed', whileMigrating: () => Promise<void>): Promise<void> {
    const job = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'postern-migrate' } }
    const exists = async (): Promise<boolean> => {
      const found = await this.#objects.read(this.#namespace, job)
      return found !== undefined && !hasEnded(found)
    }
    if (!(await waitForCondition(60_000, exists)))
      throw new Error('the Job of the migrations was not created')
    await whileMigrating()
    await this.#objects.patch(this.#namespace, job, 'status', ended(end))
  }
}

function hasEnded(job: KubernetesObject): boolean {
  const { status } = job as { status?: { conditions?: readonly unknown[] } }
  return (status?.conditions ?? []).length > 0
}

/** Returns the status that the Job controller writes when a Job ends. */
function ended(end: 'Complete' | 'Failed'): object {
  const now = new Date().toISOString().replace(/\.\d+/, '')
  const condition = (type: string): object => ({
    type,
    status: 'True',
    lastProbeTime: now,
    lastTransitionTime: now,
    reason: end,
    message: 'ended by the check',
  })
  return {
    status:
      end === 'Complete'
        ? {
            startTime: now,
            completionTime: now,
            succeeded: 1,
            uncountedTerminatedPods: {},
            conditions: [condition('SuccessCriteriaMet'), condition('Complete')],
          }
        : {
            startTime: now,
            failed: 1,
            uncountedTerminatedPods: {},
            conditions: [condition('FailureTarget'), condition('Failed')],
          },
  }
}
