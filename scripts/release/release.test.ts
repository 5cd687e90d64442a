/** A release is named alike in every file, and its section of the changelog is found. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { projectRoot } from '../services/paths.ts'
import { headingsOf, releaseOf, sectionOf } from './changelog.ts'
import { checkVersions, statedVersions } from './versions.ts'

const changelog =
  '# Changelog\n\n## Unreleased\n\n- new\n\n## 0.2.0 (2026-12-01)\n\n- second\n\n## 0.1.0 (2026-11-15)\n\n- first\n'

test('the section of a release ends at the next', () => {
  assert.equal(sectionOf(changelog, '0.2.0'), '- second')
  assert.equal(sectionOf(changelog, '0.1.0'), '- first')
  assert.equal(sectionOf(changelog, '0.3.0'), undefined)
})

test('CHANGELOG.md begins with what is not released, then releases with their dates, newest first', () => {
  const [unreleased, ...releases] = headingsOf(readFileSync(join(projectRoot, 'CHANGELOG.md'), 'utf8'))
  assert.equal(unreleased, '## Unreleased')
  const named = releases.map((line) => releaseOf(line) ?? assert.fail(`${line} is no release`))
  const dates = named.map(({ date }) => date)
  assert.deepEqual(dates, dates.toSorted().toReversed())
})

test('all files state one version', () => {
  const stated = statedVersions(projectRoot)
  const versions = new Set(stated.map(({ version }) => version))
  assert.equal(versions.size, 1, JSON.stringify(stated))
})

test('another version, none, and a previous release that is not before are found', () => {
  const stated = [
    { file: 'a', version: '0.2.0' },
    { file: 'b', version: '0.1.0' },
    { file: 'c', version: undefined },
  ]
  assert.deepEqual(checkVersions('0.2.0', stated, { version: '0.2.0' }), [
    'b says 0.1.0, not 0.2.0',
    'c says no version, not 0.2.0',
    'scripts/release/previous.json says 0.2.0, which is not before 0.2.0',
  ])
  assert.deepEqual(checkVersions('0.10.0', [{ file: 'a', version: '0.10.0' }], { version: '0.9.0' }), [])
})
