import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { carriers } from './carriers.ts'
import { behaviours as kakaoBehaviours } from './kakao/behaviours.ts'
import { behaviours as maapBehaviours } from './maap/behaviours.ts'
import { behaviours as mm7Behaviours } from './mm7/behaviours.ts'
import { behaviours as msghubBehaviours } from './msghub/behaviours.ts'
import { behaviours as nhnBehaviours } from './nhn/behaviours.ts'
import { behaviours as rbmBehaviours } from './rbm/behaviours.ts'
import { behaviours as sensBehaviours } from './sens/behaviours.ts'
import type { EndingRow } from './shared/endings.ts'
import { behaviours as solapiBehaviours } from './solapi/behaviours.ts'
import { documentedEndings } from './testing/readme.ts'

const program = fileURLToPath(new URL('main.ts', import.meta.url))

const pages: readonly (readonly [page: string, rows: readonly EndingRow[]])[] = [
  ['docs/mm7.md', mm7Behaviours],
  ['docs/kakao.md', kakaoBehaviours],
  ['docs/maap.md', maapBehaviours],
  ['docs/rbm.md', rbmBehaviours],
  ['docs/solapi.md', solapiBehaviours],
  ['docs/msghub.md', msghubBehaviours],
  ['docs/nhn.md', nhnBehaviours],
  ['docs/sens.md', sensBehaviours],
]

for (const [page, rows] of pages) {
  test(`every behaviour is in ${page}, word for word, and no other`, () => {
    const known = rows.map(({ ending, summary }) => ({ ending, summary }))
    assert.deepEqual(documentedEndings(page), known)
    assert.equal(new Set(rows.map(({ ending }) => ending)).size, rows.length)
  })
}

for (const command of carriers.filter((carrier) => carrier.name !== 'smsc')) {
  const { name } = command

  test(`${name} reports that it is ready, answers its control and stops on SIGTERM`, async () => {
    const child = spawn(process.execPath, [program, name, '--port', '0', '--control-port', '0'])
    const [line] = (await once(child.stdout, 'data')) as [Buffer]
    const { ready, controlPort } = JSON.parse(line.toString()) as { ready: string; controlPort: number }
    assert.equal(ready, name)
    const stats = await fetch(`http://127.0.0.1:${controlPort}/stats`)
    assert.equal(((await stats.json()) as { submits: number }).submits, 0)
    assert.equal((await fetch(`http://127.0.0.1:${controlPort}/nothing`)).status, 404)
    child.kill('SIGTERM')
    const [code] = (await once(child, 'exit')) as [number | null]
    assert.equal(code, 0)
  })

  test(`every option of ${name} is described`, () => {
    const described = ['README.md', `docs/${name}.md`]
      .map((page) => readFileSync(new URL(`../${page}`, import.meta.url), 'utf8'))
      .join('\n')
    const flags = [...command.help().matchAll(/^ {2}(--[\w-]+)/gm)].map(([, flag]) => flag!)
    assert.deepEqual(
      flags.filter((flag) => !described.includes(`\`${flag}\``)),
      [],
    )
  })
}
