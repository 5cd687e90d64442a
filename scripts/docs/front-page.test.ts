/** From the first line of the README to the first message and its report: few commands and little to read, as docs/first-message.md says. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { readSteps } from '../guides/blocks.ts'
import { projectRoot } from '../services/paths.ts'

const read = (path: string): string => readFileSync(join(projectRoot, path), 'utf8')
const readme = read('README.md')
const figures = read('docs/first-message.md')

function wordsOf(text: string): number {
  const prose = text.replaceAll(/^```[^]*?^```$|<[^>]+>|\]\([^)]*\)/gm, '')
  return prose.match(/[\p{L}\p{N}'-]+/gu)?.length ?? 0
}

/** Continued lines are one command. */
function commandsOf(code: string): number {
  return code.replaceAll('\\\n', '').trim().split('\n').length
}

test('the commands on the page are those of the README, and the words are few', () => {
  const section = readme.indexOf('## First message')
  const blocks = readSteps(readme).flatMap((step) => (step.kind === 'run' ? [step.code] : []))
  const sending = blocks.findIndex((code) => code.includes('/v1/send/sms'))
  const reporting = blocks.findIndex((code) => code.includes('/v1/report/polling'))
  const until = (index: number): number =>
    blocks.slice(0, index + 1).reduce((sum, code) => sum + commandsOf(code), 0)
  const before = wordsOf(readme.slice(0, section))
  const inside = wordsOf(readme.slice(section, readme.indexOf(blocks[reporting]!)))
  assert.ok(until(sending) <= 5, `${until(sending)} commands`)
  // 200 words a minute are slow: two minutes.
  assert.ok(before + inside <= 400, `${before + inside} words`)
  for (const figure of [
    `| commands to the first message | ${until(sending)} |`,
    `| commands to its report | ${until(reporting)} |`,
  ])
    assert.ok(figures.replaceAll(/ +/g, ' ').includes(figure), `docs/first-message.md must say ${figure}`)
})
