/**
 * `npm run suite -- soak`: runs a steady load for a long time, with samples of the resident memory and file
 * descriptors of every process. A leaking process grows in the second half, when everything is warm; the
 * evidence is the slope of the regression line through those samples.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Program } from '../../support/processes/program.ts'
import type { EnduranceInstallation } from '../endurance-installation.ts'
import { readOptions } from '../options.ts'
import { readProcess, type Sample } from '../process-usage.ts'
import { runWithInstallation } from '../run-command.ts'
import { printProgress, withProgress } from '../../support/measure/progress.ts'
import {
  drawSoak,
  computeGrowth,
  checkGrowth,
  minMinutes,
  soakSection,
  soakTable,
  type Growth,
} from './soak-report.ts'
import { ordinaryRecipient, SteadyLoad } from '../steady-load.ts'
import { checkLoadRun } from '../check-load-run.ts'
import { writeDoc, writeDocSection } from '../../support/measure/write-doc.ts'

const options = readOptions({
  name: 'soak',
  about: 'a steady load for a long time; no process may grow',
  figures: {
    minutes: { default: 30, help: `length of the load; growth is checked from ${minMinutes} minutes on` },
    rate: { default: 300, help: 'messages per second' },
    every: { default: 10, help: 'seconds between two samples of the processes' },
  },
  page: 'docs/evidence/endurance.md',
})

await runWithInstallation('soak', run)

async function run(installation: EnduranceInstallation): Promise<string[]> {
  const { apis, workers, balancer, poller } = installation
  printProgress(`${options.rate} messages/s for ${options.minutes} minutes`)
  if (options.minutes < minMinutes) printProgress(`growth is not checked in less than ${minMinutes} minutes`)
  const load = new SteadyLoad({
    use: (call) => balancer.use(call),
    perSecond: options.rate,
    recipient: (index) => ordinaryRecipient('010', index),
  })
  let samples: Map<string, Sample[]>
  try {
    samples = await withProgress(
      watch([...apis, ...workers]),
      () => `${load.sent.length} sent, ${load.failures.length} failed, ${poller.counts.size} reported`,
    )
  } finally {
    await load.stop()
  }
  const wrong = await checkLoadRun(installation, load)
  const growths: Growth[] = [...samples].map(([name, list]) => computeGrowth(name, list))
  process.stdout.write(`\n${soakTable(growths)}\n`)
  if (options.write) {
    await writeDoc('pictures/soak-memory.svg', drawSoak(samples))
    const run = { ...options, sent: load.sent.length, wrong }
    await writeDocSection('evidence/endurance.md', 'soak', soakSection(growths, run))
  }
  return [...wrong, ...growths.flatMap((growth) => checkGrowth(growth, options.minutes))]
}

/** Samples the processes until the time is over. */
async function watch(watched: readonly Program[]): Promise<Map<string, Sample[]>> {
  const samples = new Map<string, Sample[]>(watched.map(({ name }) => [name, []]))
  const began = performance.now()
  let printedAt = 0
  while (performance.now() - began < options.minutes * 60_000) {
    await pause(options.every * 1000)
    const minute = (performance.now() - began) / 60_000
    for (const { name, pid } of watched) {
      const now = pid === undefined ? undefined : readProcess(pid)
      if (now !== undefined) samples.get(name)!.push({ minute, ...now })
    }
    if (minute - printedAt >= 1) {
      printedAt = minute
      const sizes = [...samples].map(
        ([name, list]) => `${name} ${Math.round((list.at(-1)?.residentKb ?? 0) / 1024)} MB`,
      )
      printProgress(sizes.join(', '))
    }
  }
  return samples
}
