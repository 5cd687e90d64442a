/** The runner of the guides reports blocks that fail, print something else, or have unknown markers. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { adaptTo } from './adapt.ts'
import { readSteps } from './blocks.ts'
import { findDifference } from './compare.ts'
import { findMissingPrograms, findReasonToLeaveOut } from './programs.ts'
import { runPage, type PageRun } from './run-page.ts'
import { openShell } from './shell.ts'

const fence = '```'
const block = (info: string, code: string): string => `${fence}${info}\n${code}\n${fence}\n`

async function runText(text: string): Promise<PageRun> {
  const folder = mkdtempSync(join(tmpdir(), 'postern-guide-'))
  const shell = openShell(folder, process.env, folder)
  try {
    return await runPage(readSteps(text), shell, folder)
  } finally {
    await shell.stop()
    rmSync(folder, { recursive: true })
  }
}

test('blocks run in order in one shell, with files saved, values filled in and output compared', async () => {
  const page = [
    '# A guide',
    block('sh', 'export GREETING=hello; mkdir inner; cd inner'),
    block('sh', 'echo "$GREETING from ${PWD##*/}"'),
    block('text output', 'hello from inner'),
    block('js file=inner/print.mjs', 'console.log(JSON.stringify({ msgKey: "K1", code: "A000" }))'),
    block('sh', `'${process.execPath}' print.mjs`),
    block('json output', '{ "msgKey": "another in every run", "code": "A000" }'),
    block('sh', 'echo <msgKey>'),
    block('text output', 'K1'),
    'This needs Docker:\n',
    block('sh not-run="needs Docker"', 'docker compose up'),
    block('json', '{ "only": "shown" }'),
    block('sh background until="listening"', 'sleep 60 & echo listening; wait'),
    block('sh repeat', 'echo x >> count; grep -c x count | grep 2'),
    block('text output', '2'),
    block('sh repeat until="three"', 'echo x >> words; grep -c x words | grep 3; echo three'),
    block('sh', 'echo "http://127.0.0.1:1/x opens the page"'),
  ].join('\n')
  assert.deepEqual(await runText(page), {
    ran: 8,
    skipped: ['line 36: needs Docker'],
    link: 'http://127.0.0.1:1/x',
  })
})

test('a block that fails, differs or lacks a value is reported with its line', async () => {
  await assert.rejects(
    runText(block('sh', 'echo before; false; echo after')),
    /^Error: line 1: .*failed.*before\n$/s,
  )
  await assert.rejects(
    runText(block('sh', 'echo two') + block('text output', 'one')),
    /line 1: differs from the output on line 4: line 1 must be 'one', got 'two'/,
  )
  await assert.rejects(
    runText(block('sh', 'echo <msgKey>')),
    /no earlier command printed a value for <msgKey>/,
  )
})

test('unknown words after the language, and blocks that are not run for no visible reason, are rejected', () => {
  assert.throws(() => readSteps(block('sh notrun="x"', 'true')), /line 1: unknown word notrun/)
  assert.throws(() => readSteps(block('sh not-run', 'true')), /not-run needs a reason/)
  assert.throws(
    () => readSteps(`It needs Docker.\n\nSo:\n\n${block('sh not-run="needs Docker"', 'true')}`),
    /line 5: the text above does not say 'needs Docker'/,
  )
  assert.throws(() => readSteps(block('sh background', 'true')), /background needs until/)
  assert.throws(() => readSteps(block('sh until="x"', 'true')), /until needs background or repeat/)
  assert.throws(() => readSteps(block('json output', '{}')), /follows no shell block/)
})

test('output is compared except for values that differ in every run', () => {
  const json = (documented: string, printed: string): string | null =>
    findDifference(documented, printed, 'json')
  assert.equal(json('{"a":1,"sendTime":"x"}', '{ "sendTime": "y", "a": 1 }\n'), null)
  assert.equal(json('{"a":1}\n{"b":"…"}', '{"a":1}{"b":[2]}'), null)
  assert.equal(json('{"list":[1,"…"]}', '{"list":[1,2,3]}'), null)
  assert.equal(json('{"a":1,"…":"…"}', '{"a":1,"b":2}'), null)
  assert.equal(json('{"a":1}', '{"a":1,"b":2}'), 'b is not documented')
  assert.equal(json('{"a":1,"b":2}', '{"a":1}'), 'b is missing from the output')
  assert.equal(json('{"a":"10000"}', '{"a":"20000"}'), 'a must be "10000", got "20000"')
  const text = (documented: string, printed: string): string | null =>
    findDifference(documented, printed, 'text')
  assert.equal(text('route  taken …\n…\nend', 'route     taken  first\n1\n2\nend\n'), null)
  assert.equal(text('one', 'one\ntwo'), "after the documented lines 'two' is printed")
  assert.equal(text('one\ntwo', 'one'), "line 2 must be 'two', got no more lines")
  assert.equal(text('one', ''), "line 1 must be 'one', got no more lines")
  assert.equal(text('one\n…\nfour\nfive', 'one\ntwo\nfour\n5'), "line 4 must be 'five', got '5'")
})

test('example URLs are replaced and installed packages are not reinstalled', () => {
  const environment = { POSTERN_DATABASE_URL: 'postgres://here/x', POSTERN_HTTP_PORT: '81' }
  const code = 'npm install\nexport POSTERN_DATABASE_URL=postgres://postern@localhost/postern\nnpm run dev'
  assert.equal(
    adaptTo(environment, { installed: false })(code),
    "npm install\nexport POSTERN_DATABASE_URL='postgres://here/x'\nnpm run dev",
  )
  assert.match(adaptTo(environment, { installed: true })(code), /^:\nexport/)
})

test('a page in another language names the program that is missing', () => {
  const page = readSteps(block('php file=send.php', '<?php') + block('js file=send.mjs', ''))
  assert.deepEqual(findMissingPrograms(page, { PATH: '/nowhere' }), [
    'PHP 8 with curl (apt-get install php-cli php-curl)',
  ])
})

test('a page with a Maven project is skipped in short runs and without Maven', () => {
  const page = readSteps(block('sh', 'mvn -q package'))
  const nowhere = { PATH: '/nowhere' }
  assert.match(findReasonToLeaveOut(page, { short: true }) ?? '', /downloads/)
  assert.match(findReasonToLeaveOut(page, { short: false }, nowhere) ?? '', /apt-get install maven/)
  assert.equal(findReasonToLeaveOut([], { short: true }, nowhere), null)
})
