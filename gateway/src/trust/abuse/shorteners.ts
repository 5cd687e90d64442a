/** Domains of link shorteners: a link under one of them leads anywhere, and its owner can change where. Data. */
export const shorteners: ReadonlySet<string> = new Set(
  `adf.ly bit.ly bitly.kr bl.ink buff.ly buly.kr c11.kr cutt.ly goo.gl han.gl is.gd j.mp lnkd.in me2.do muz.so ow.ly rb.gy
   rebrand.ly s.id shorturl.at shrtco.de soo.gd t.co t.ly t2m.io tiny.cc tinyurl.com url.kr v.gd vo.la vvd.bz zrr.kr`.split(
    /\s+/,
  ),
)
