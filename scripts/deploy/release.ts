/**
 * A release of the chart on an API server. The Job of the migrations has no controller there that runs it: the caller ends it, well or
 * not, so that the order of migrations and processes is seen.
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { projectRoot } from '../services/paths.ts'
import { happensWithin } from '../services/happens-within.ts'
import { chartFolder, helm } from './chart.ts'
import type { ClusterObjects, KubernetesObject } from './cluster-objects.ts'

const execute = promisify(execFile)

export class Release {
  readonly #objects: ClusterObjects
  readonly #namespace: string
  readonly #kubeconfig: string

  constructor(objects: ClusterObjects, namespace: string, kubeconfig: string) {
    this.#objects = objects
    this.#namespace = namespace
    this.#kubeconfig = kubeconfig
  }

  /** Runs helm and returns what it prints. */
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

  /** Installs or upgrades. `whileMigrating` is called when the Job of the migrations exists and has not ended. */
  async apply(
    command: 'install' | 'upgrade',
    values: readonly string[],
    migration: 'Complete' | 'Failed',
    whileMigrating: () => Promise<void>,
  ): Promise<void> {
    const applied = this.run(command, chartFolder, ...values, '--timeout', '120s')
    const migrated = this.#migrate(migration, whileMigrating)
    // Whichever fails first says why; the other one then only times out.
    await Promise.race([applied, migrated.then(() => applied)])
    await migrated
  }

  async #migrate(end: 'Complete' | 'Failed', whileMigrating: () => Promise<void>): Promise<void> {
    const job = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'postern-migrate' } }
    const exists = async (): Promise<boolean> => {
      const found = await this.#objects.read(this.#namespace, job)
      return found !== undefined && !hasEnded(found)
    }
    if (!(await happensWithin(60_000, exists))) throw new Error('no Job with the migrations is created')
    await whileMigrating()
    await this.#objects.patch(this.#namespace, job, 'status', ended(end))
  }
}

function hasEnded(job: KubernetesObject): boolean {
  const { status } = job as { status?: { conditions?: readonly unknown[] } }
  return (status?.conditions ?? []).length > 0
}

/** What the controller of Jobs writes at the end of one. */
function ended(end: 'Complete' | 'Failed'): object {
  const now = new Date().toISOString().replace(/\.\d+/, '')
  const condition = (type: string): object => ({
    ...{ type, status: 'True', lastProbeTime: now, lastTransitionTime: now },
    ...{ reason: end, message: 'ended by the check' },
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
