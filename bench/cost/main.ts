/**
 * `npm run suite -- cost`: what a message and an idle installation cost, against the limits of limits.ts. Fails if a figure is
 * above its limit, and prints the line that lowers a limit. `--spread N` measures N times and prints the lines for limits.ts.
 * `--counts` leaves out the CPU, which only a quiet machine tells.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { readOptions } from '../../gateway/test/load/options.ts'
import { runCommand } from '../../gateway/test/load/run-command.ts'
import { printProgress } from '../../gateway/test/support/measure/progress.ts'
import { table } from '../report.ts'
import { startCountingPostgres } from './counters.ts'
import { startCpuComparison, type CpuComparison, type CpuRatios } from './cpu-ratio.ts'
import { describeLimit, judge, limitLines, type Figures } from './judge.ts'
import { limits, type FigureName } from './limits.ts'
import { measureMessageCosts, type MessageCosts } from './message-costs.ts'
import { countStatements, type MessageCost } from './usage.ts'

const options = readOptions({
  name: 'cost',
  about: 'what a message and an idle installation cost, against limits',
  figures: { spread: { default: 0, help: 'runs, of which it prints the spread instead of a judgement' } },
  switches: { counts: 'count only, without the comparison of CPU' },
})
/** Nearly all polls repeat every second or faster. */
const idleSeconds = 10

interface Measurement {
  /** Without those of CPU if they are left out. */
  readonly figures: Figures<FigureName>
  readonly costs: MessageCosts
}

async function measure(): Promise<Measurement> {
  const postgres = await startCountingPostgres()
  let comparison: CpuComparison | undefined
  try {
    const costs = await measureMessageCosts(postgres.url, async () => {
      printProgress(`measuring the idle installation for ${idleSeconds} s`)
      const idling = delay(idleSeconds * 1000)
      // The comparison starts meanwhile; its own statements do not count.
      if (!options.counts) comparison = await startCpuComparison(postgres.url, printProgress)
      await idling
    })
    const counted = listCounts(costs)
    if (comparison === undefined) return { costs, figures: counted }
    printProgress('comparing with bare engines')
    return { costs, figures: { ...counted, ...listCpu(await comparison.measure()) } }
  } finally {
    await comparison?.close()
    await postgres.stop()
  }
}

function listCounts({ sms, fallback, idle }: MessageCosts): Figures<FigureName> {
  return {
    'SMS: statements': countStatements(sms.statements),
    'SMS: transactions': sms.transactions,
    'SMS: rows': sms.rows,
    'SMS: bytes of log': sms.bytes,
    'fallback: statements': countStatements(fallback.statements),
    'fallback: transactions': fallback.transactions,
    'fallback: rows': fallback.rows,
    'fallback: bytes of log': fallback.bytes,
    'idle: statements per second': Math.round((countStatements(idle.statements) / idle.seconds) * 10) / 10,
  }
}

function listCpu(cpu: CpuRatios): Figures<FigureName> {
  return {
    'CPU of a message, bare = 1': Math.round(cpu.all * 1000) / 1000,
    'CPU of the worker, bare = 1': Math.round(cpu.worker * 1000) / 1000,
  }
}

/** Shows which statements a message needs, to find one that was added. */
function describeStatements(name: string, { statements }: MessageCost): string {
  const lines = [...statements].map(
    ([text, calls]) => `  ${calls} × ${text.replaceAll(/\s+/g, ' ').slice(0, 120)}\n`,
  )
  return `statements of ${name}:\n${lines.join('')}`
}

async function runOnce(): Promise<readonly string[]> {
  const { figures, costs } = await measure()
  const names = Object.keys(figures) as FigureName[]
  process.stdout.write(
    table([
      ['', 'measured', 'limit'],
      ...names.map((name) => [name, String(figures[name]), describeLimit(limits[name])]),
    ]),
  )
  for (const kind of ['sms', 'fallback'] as const) {
    const limit = limits[kind === 'sms' ? 'SMS: statements' : 'fallback: statements']
    if (countStatements(costs[kind].statements) > limit.limit)
      process.stdout.write(describeStatements(kind, costs[kind]))
  }
  const { findings, lowered } = judge(figures, limits)
  if (lowered.length > 0)
    process.stdout.write(`better than the limits; write into bench/cost/limits.ts:\n${lowered.join('\n')}\n`)
  return findings
}

async function measureSpread(runs: number): Promise<readonly string[]> {
  const measured: Figures<FigureName>[] = []
  for (let run = 1; run <= runs; run++) {
    measured.push((await measure()).figures)
    printProgress(`run ${run} of ${runs}: ${JSON.stringify(measured.at(-1))}`)
  }
  process.stdout.write(
    `median and spread of ${runs} runs, for bench/cost/limits.ts:\n${limitLines(measured).join('\n')}\n`,
  )
  return []
}

await runCommand('cost', () => (options.spread > 0 ? measureSpread(options.spread) : runOnce()))
process.exit()
