import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cpuMs } from '../../../test/support/measure/cpu-time.ts'
import { findLinks, isListed, parseDomain, shorteners } from './links.ts'

/** Returns the last form of each link, which has no words around the host. */
const hosts = (text: string): string[] => findLinks(text).map((link) => link.at(-1)!)

for (const [text, ...expected] of [
  ['https://www.shop.kr/a?b=1', 'www.shop.kr'],
  ['www.shop.kr에서 확인', 'www.shop.kr'],
  ['EXAMPLE.COM', 'example.com'],
  ['hxxps://evil[.]com/x', 'evil.com'],
  ['evil(dot)com', 'evil.com'],
  ['ｅｖｉｌ．ｃｏｍ', 'evil.com'],
  ['e\u200Bvil.c\u00ADom', 'evil.com'],
  ['evil。com', 'evil.com'],
  ['http://user@host.io:8080/', 'host.io'],
  ['http://203.0.113.7/a', '203.0.113.7'],
  ['주소bit.ly/abc', 'bit.ly'],
  ['보냈습니다.https://shop.kr/x', 'shop.kr'],
  ['evil.com입니다.감사합니다', 'evil.com'],
  ['evil\u2024win', 'evil.win'],
  ['evil.page, evil.me.uk', 'evil.page', 'evil.me.uk'],
  ['http://1572395042/', '1572395042'],
  ['http://0x5d.12345/', '0x5d.12345'],
  ['http://[2001:db8::1]/', '[2001:db8::1]'],
  ['https://%65vil%2ecom/', '%65vil%2ecom'],
  ['https://shop.kr@evil.com/', 'shop.kr', 'evil.com'],
  ['한글.한국', 'xn--bj0bj06e.xn--3e0b707e'],
  ['당첨 확인 77.cash', '77.cash'],
  ['1.cash', '1.cash'],
  ['1.One 2.Two 77.cash', '77.cash'],
  ['1.One 2.Two 4.cash', '4.cash'],
  ['1.확인 2.cash/a', '2.cash'],
  ['확인 evil.онлайн/a', 'evil.xn--80asehdb'],
  ['확인 evil.在线/a', 'evil.xn--3ds443g'],
  ['a.kr b.com/x c.kr?y', 'a.kr', 'b.com', 'c.kr'],
] as const)
  test(`finds the host of ${JSON.stringify(text)}`, () => assert.deepEqual(hosts(text), expected))

for (const text of [
  '',
  'hello',
  '1.500원, 10.30에',
  '끝났다.내일 보자',
  'v1.2.3',
  'e.g. this',
  '1.First 2.Second',
  '1.삼겹살 2. Beef 3.Pork',
  '1.확인 2.cash',
  '01.확인 02.cash 03.point',
  '[결제] 1.card 2.cash [적립] 1.point 2.cash',
  '문의 OK.신청/접수',
  '끝.내일/모레',
  '오전//오후',
  '...',
])
  test(`finds none in ${JSON.stringify(text)}`, () => assert.deepEqual(findLinks(text), []))

test('a host with a word before it must be allowed in all its forms', () => {
  for (const text of ['https://가shop.kr/login', '가shop.kr']) {
    const [link] = findLinks(text)
    assert.equal(link!.length, 2, text)
    assert.ok(link!.includes('shop.kr') && /^xn--.+\.kr$/.test(link![0]!))
  }
  assert.deepEqual(findLinks('bit.ly은shop.kr')[0]!.slice(1), ['bit.ly', 'shop.kr'])
})

test('every link of a text is found, however many there are', () => {
  assert.equal(hosts('shop.kr '.repeat(200) + 'bit.ly/x').at(-1), 'bit.ly')
})

test('a domain covers its subdomains, and no other domain', () => {
  const domains = new Set(['shop.kr'])
  assert.deepEqual(
    ['shop.kr', 'm.shop.kr', 'evilshop.kr', 'shop.kr.evil.com'].map((host) => isListed(host, domains)),
    [true, true, false, false],
  )
  assert.ok([...shorteners].every((domain) => parseDomain(domain) === domain))
})

test('a domain below which anyone can register cannot be listed', () => {
  assert.deepEqual(['kr', 'co.kr', 'com', 'shop.kr', 'SHOP.kr ', 'a b.kr'].map(parseDomain), [
    ...[null, null, null, 'shop.kr', 'shop.kr', null],
  ])
})

test('a link is found between any other characters', () => {
  const around = fc.string({
    unit: fc.constantFrom('a', '가', ' ', '.', '/', '(', '!', '1', '-', '\n'),
    maxLength: 30,
  })
  fc.assert(
    fc.property(around, around, (before, after) => {
      assert.ok(hosts(`${before} https://evil.example.com/ ${after}`).includes('evil.example.com'))
    }),
    { numRuns: 500 },
  )
})

test('an address has the same hosts alone and within a text', () => {
  const part = fc.string({
    unit: fc.constantFrom('a', 'Z', '1', '-', '.', '/', '?', '#', '=', '%', ':', '@'),
    maxLength: 12,
  })
  const address = fc.tuple(
    fc.constantFrom('http://', 'https://', 'HTTP://', ''),
    part,
    fc.constantFrom('.com', '.kr', ''),
    part,
  )
  fc.assert(
    fc.property(address, (parts) => {
      const written = parts.join('')
      assert.deepEqual(findLinks(written), findLinks(`${written} `))
    }),
    { numRuns: 2_000 },
  )
})

/** Returns the shortest of three runs: the first is slower, and a garbage collection can fall into any. */
const shortest = (work: () => unknown): number =>
  Math.min(...Array.from({ length: 3 }, () => cpuMs(() => void work())))

test('every text is scanned in linear time', () => {
  for (const text of [
    'a'.repeat(2_000) + '.',
    'a.'.repeat(1_000),
    '[.]'.repeat(600),
    'a-'.repeat(1_000) + '.com',
    'aa.bb '.repeat(700),
    '가.aa '.repeat(400),
    'http://a '.repeat(300),
    'https://' + 'a.'.repeat(8_000) + 'com',
  ])
    assert.ok(
      shortest(() =>
        findLinks(text)
          .flat()
          .map((host) => isListed(host, new Set())),
      ) < 20,
      text.slice(0, 20),
    )
  // As long as a request can be: twice the length must take about twice the time.
  const addresses = Array.from({ length: 20_000 }, (_, n) => `://${n.toString(36)} `).join('')
  for (const text of [addresses, '1.a '.repeat(50_000)]) {
    const half = shortest(() => findLinks(text.slice(0, text.length / 2)))
    const whole = shortest(() => findLinks(text))
    assert.ok(whole < Math.max(4 * half, 200), `${whole} ms, half of it ${half}`)
  }
})
