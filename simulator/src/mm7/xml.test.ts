import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MalformedXml, child, escapeXml, parseXml } from './xml.ts'

test('reads elements, namespaces, attributes, entities, CDATA and comments', () => {
  const root = parseXml(
    `<?xml version="1.0" encoding="euc-kr"?>\n<!-- a --><e:A xmlns:e="urn:e" xmlns="urn:d" e:b='1 &amp; 2'>
      <C> x &#44032;&lt;<![CDATA[<&>]]> </C><!-- <D/> --><D/></e:A>\n`,
  )
  assert.deepEqual([root.name, root.namespace, root.attributes.get('e:b')], ['A', 'urn:e', '1 & 2'])
  assert.deepEqual([child(root, 'C')?.text, child(root, 'C')?.namespace], ['x 가<<&>', 'urn:d'])
  assert.deepEqual(
    root.children.map(({ name }) => name),
    ['C', 'D'],
  )
  assert.equal(child(root, 'C', 'none'), undefined)
  assert.equal(parseXml(`<a>${escapeXml(`<&>"'`)}</a>`).text, `<&>"'`)
})

test('refuses malformed XML and unsafe constructs', () => {
  const refused = [
    '',
    'text',
    '<a>',
    '</a>',
    '<a></b>',
    '<a/><b/>',
    '<a/>text',
    '<a b=1/>',
    '<a b="1" b="2"/>',
    '<a b="<"/>',
    '<a>&</a>',
    '<a>&unknown;</a>',
    '<a>&#0;</a>',
    '<a>&#x110000;</a>',
    '<a>]]></a>',
    '<p:a/>',
    '<a p:b="1"/>',
    '<a>\u0001</a>',
    '<a><!-- </a>',
    '<a><![CDATA[</a>',
    '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>',
    '<?php echo 1 ?><a/>',
    '<a:b:c xmlns:a="x"/>',
  ]
  for (const source of refused) assert.throws(() => parseXml(source), MalformedXml, source)
})

test('limits depth and nodes, and runs in linear time', () => {
  assert.throws(() => parseXml('<a>'.repeat(33)), /deeper than 32/)
  assert.throws(() => parseXml(`<a>${'<b/>'.repeat(5001)}</a>`), /at most 5000/)
  const start = performance.now()
  assert.throws(() => parseXml(`<a ${'b '.repeat(500_000)}`), MalformedXml)
  assert.throws(() => parseXml(`<a ${'b="1" '.repeat(100_000)}`), MalformedXml)
  assert.equal(parseXml(`<a>${'x&amp;'.repeat(200_000)}</a>`).text.length, 400_000)
  assert.ok(performance.now() - start < 2000)
})
