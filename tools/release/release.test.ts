import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { projectRoot } from '../engines/paths.ts'
import { findUnpinnedBases } from './base-images.ts'
import { listHeadings, parseReleaseHeading, findSection } from './changelog.ts'
import { checkVersions, statedVersions } from './versions.ts'

const changelog =
  '# Changelog\n\n## Unreleased\n\n- new\n\n## 0.2.0 (2026-12-01)\n\n- second\n\n## 0.1.0 (2026-11-15)\n\n- first\n'

test('the section of a release ends at the next one', () => {
  assert.equal(findSection(changelog, '0.2.0'), '- second')
  assert.equal(findSection(changelog, '0.1.0'), '- first')
  assert.equal(findSection(changelog, '0.3.0'), undefined)
})

test('CHANGELOG.md lists unreleased changes, then dated releases, newest first', () => {
  const [unreleased, ...releases] = listHeadings(readFileSync(join(projectRoot, 'CHANGELOG.md'), 'utf8'))
  assert.equal(unreleased, '## Unreleased')
  const named = releases.map((line) => parseReleaseHeading(line) ?? assert.fail(`${line} is no release`))
  const dates = named.map(({ date }) => date)
  assert.deepEqual(dates, dates.toSorted().toReversed())
})

test('all files state one version', () => {
  const stated = statedVersions(projectRoot)
  const versions = new Set(stated.map(({ version }) => version))
  assert.equal(versions.size, 1, JSON.stringify(stated))
})

test('different, missing and out-of-order versions are reported', () => {
  const stated = [
    { file: 'a', version: '0.2.0' },
    { file: 'b', version: '0.1.0' },
    { file: 'c', version: undefined },
  ]
  assert.deepEqual(checkVersions('0.2.0', stated, { version: '0.2.0' }), [
    'b: expected version 0.2.0, got 0.1.0',
    'c: expected version 0.2.0, got none',
    'tools/release/previous.json: 0.2.0 must be earlier than 0.2.0',
  ])
  assert.deepEqual(checkVersions('0.10.0', [{ file: 'a', version: '0.10.0' }], { version: '0.9.0' }), [])
})

test('a base image without a digest cannot be released', () => {
  const pinned = `node:24-trixie-slim@sha256:${'0'.repeat(64)}`
  assert.deepEqual(findUnpinnedBases(`ARG NODE_IMAGE=${pinned}\nARG RUNTIME_IMAGE=${pinned}\n`), [])
  assert.deepEqual(findUnpinnedBases(`ARG NODE_IMAGE=${pinned}\nARG RUNTIME_IMAGE=node:24\n`), [
    'Containerfile: RUNTIME_IMAGE=node:24 has no digest; append @sha256:…',
  ])
})
