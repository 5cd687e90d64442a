import assert from 'node:assert/strict'
import test from 'node:test'
import { isLinked } from './readiness.ts'

test('the link of one route is read from the metrics', () => {
  const metrics = [
    '# TYPE postern_route_linked gauge',
    'postern_route_linked{route="simulator"} 0',
    'postern_route_linked{route="sandbox"} 1',
    'postern_route_other{route="simulator"} 1',
  ].join('\n')
  assert.equal(isLinked(metrics, 'simulator'), false)
  assert.equal(isLinked(metrics, 'sandbox'), true)
  assert.equal(isLinked('', 'sandbox'), false)
})
