/** Evaluates the shipped alert on jumps of PostgreSQL's clock against the metrics of the processes. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Gateway } from '../support/processes/gateway.ts'
import { projectRoot } from '../support/processes/program.ts'

const name = 'PosternClockJump'
const rules = readFileSync(join(projectRoot, 'deploy/alerts.yml'), 'utf8')
const rule = new RegExp(`- alert: ${name}\\s+expr: abs\\((\\w+)\\) > (\\d+)\\s+for: (\\d+)m\\s`).exec(rules)
if (rule === null) throw new Error(`deploy/alerts.yml has no ${name} of the form abs(metric) > number`)
const [metric, limit, minutes] = [rule[1]!, Number(rule[2]), Number(rule[3])]

export class ClockAlert {
  readonly name = name
  readonly forMs = minutes * 60_000
  readonly #gateways: readonly Gateway[]
  readonly #began = performance.now()
  #trueSince: number | undefined

  constructor(gateways: readonly Gateway[]) {
    this.#gateways = gateways
  }

  get afterSeconds(): number {
    return Math.round((performance.now() - this.#began) / 1000)
  }

  /** Returns whether the expression is true at every process. */
  async isTrue(): Promise<boolean> {
    const values = await Promise.all(this.#gateways.map((gateway) => gateway.metric(metric)))
    return values.every((value) => Math.abs(value) > limit)
  }

  /** Returns whether the expression has been true for as long as the rule demands. Call it every second. */
  async fires(): Promise<boolean> {
    if (!(await this.isTrue())) this.#trueSince = undefined
    else this.#trueSince ??= performance.now()
    return this.#trueSince !== undefined && performance.now() - this.#trueSince >= this.forMs
  }
}
