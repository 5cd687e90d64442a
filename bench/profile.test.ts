import assert from 'node:assert/strict'
import { test } from 'node:test'
import { functionName, packageName, selfTimes, type Profile } from './profile.ts'

const frame = (id: number, name: string, url: string) => ({
  id,
  callFrame: { functionName: name, url, lineNumber: 9 },
})

const profile: Profile = {
  nodes: [
    frame(1, '(idle)', ''),
    frame(2, 'send', 'file:///somewhere/gateway/src/platform/broker/publish.ts'),
    frame(3, 'query', '/somewhere/node_modules/pg/lib/client.js'),
    frame(4, 'parse', '/somewhere/node_modules/@scope/name/index.js'),
    frame(5, 'writev', ''),
    frame(6, 'query', '/somewhere/node_modules/pg/lib/client.js'),
  ],
  samples: [1, 2, 3, 4, 5, 6],
  timeDeltas: [1000, 20, 30, 10, 5, 40],
}

test('sums self time by function, without idle time', () => {
  assert.deepEqual(selfTimes(profile, functionName), [
    { name: 'query pg/lib/client.js:10', micros: 70 },
    { name: 'send gateway/src/platform/broker/publish.ts:10', micros: 20 },
    { name: 'parse @scope/name/index.js:10', micros: 10 },
    { name: 'writev', micros: 5 },
  ])
})

test('sums self time by package', () => {
  assert.deepEqual(
    selfTimes(profile, packageName).map(({ name }) => name),
    ['pg', 'gateway/src/platform', '@scope/name', '(native)'],
  )
})
