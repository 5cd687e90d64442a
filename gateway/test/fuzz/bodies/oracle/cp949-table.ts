/**
 * The characters that take two octets in CP949, according to Python's codec: one bit per UTF-16 unit, deflated.
 * ASCII takes one octet. The gateway uses the table of iconv-lite, which this one must not share.
 */
import { inflateRawSync } from 'node:zlib'

const deflated =
  '7Vl7bFvVGf+d42Pn2HGSG9cJbpu1x67TOqG0bpJCB1137DrBCenkhpbXxuZmqQaiGhmPaV0LHDtO4mZhuKFDaXndtBkLhUkd' +
  'HayDaXLSMqU8pMAkFrYxQkGoMI1FmzbYKuad24bHBhNMmxB/+Cdd3+tzz73nO9/3+1428EEMbX3xTYnUuD4iAEUe5amScrc+' +
  'f3wokJUffucfhVM26zjzjaIwB4oiiijik4Zo/CrK+JlrQy06fXrvLqdxtJy+6/tWwVbQXluY81zv6c9bd9Guka+EwwBDoxt4' +
  'Sru0+Jf3s48tSeGW2UIJMFsofN76VrBWqpidCw8V773vlO2p8NHjZ8RI5pGwznZ9PHZe0Zr/LSoKF8xF5cK7in7v+pZ3Y/YH' +
  'ht6xWaGw+H3Xt33UeovfeU9/62eL2i+iiP8N31l53XoIVrr8pHwZoUkZu/y81m9ul+z25bMH1uBxTt/QcVIlVk++tGQR0q3H' +
  'rvhhtA75pKpp2Tdqy9fbY/Utz/36c+DZHuEV6CZ+QW0IPyhFX2fMFBi4mDJFWcZ7agczRm85URkJjsLvzYvE+eimWL/seHNa' +
  'hFvGK7JrEyHaFzSzSxzZ+eWQBwNdv69B6Gkx8hItzSB957J7NkVSh00DvHeLAOcrp/i6n1cQ35u2sYiLf5HZdf1nr18TSRAY' +
  '87l/nhY7sIWxKUkMqIBMqLjUach4xoHz1JcBE8Yenw7/kub0/jZZmQpwGpBWRksYBoK0nYA4fHXtKfgJ7+2yoSPmN5iTo0zP' +
  'ybZCEeyu3loCOZRpZBgcaq6G6AhRPoX1vH2/rD9qDGMFVHd15utpmTt6mPXu9Plr2CQVlWiLuxaeKzdjlwt0r59KI0rBYmfy' +
  'k9tKn9UeQI9BLJCnU6AThx/2uZZUmXeeXLwzsb3nbePu/F9/k7QP/TFKDUJf3HJ1gK/OUf2EDXTBwWai8yhJbQyp5LNUWaWx' +
  'T48M6a1yCDvDaohY8tXWe5LtRrRehOIjPzKEKsddO3IZ0zsemomwktbBMmPS7ck8uitPA15szruOresZOlDTv952oRkIhfM2' +
  'woUJFQsf6AXKRW1g7U8IRENicC+uXGWC7rHhovLoy2JQYffUns+EDtzVOp50xOaV5K6IxbI6H0sc+17qxgszNHZxvudsTiCj' +
  'Q5WO+5zggYbM4RcWYnYgn7a2lMU2DPmhIplBPi/m/IFO8htVxE2TU9qQUwYLw1IdIWmUgJTHwlfZ+UNdXvurhjdWCfj5Xfkn' +
  'xUsTsj3848iDRs++h4ZTDYHhDK5u9Pws/9wF+ZGRi92LBvD67JPT9tz6o357vKZtisqGCO7+lfPsQyfzN3UE5cRFUzAfmFQD' +
  '9zdBHY8YanEQQzviVsXiyKCxIrJQG0uqgBo2+0auQbh+tDcVYQ5/klm9jAl2pKXiNVOzUvhMaXDXGmIVHWOMDUy4IJYZTncP' +
  '1RSs7FSGW9NbH7oaklxvAaVgXfkEUTezzK7LHDKC/OiezrHfOqEJjJRLMzcXKZEjr5Da5q43Km8qR5yfqq4e4yuOO7Xd022m' +
  'o+sarcXq+CW5HvP6ek2CIP6WpRfSDQe1FdR3dxzZdKMvKJ9Xk27NtMih4GCUNV2xQN8yxltUA8p8jhTF0NPeJLnBs2U3hvOu' +
  'aAUTmXn7qOwcCLydTSkJw+bnnKwSMVbiOZK1YRcOaAoGDA9aoohAXRLpmO2AMPq8aWbQFtf61WomiekICEfT1m3jleyBPsoC' +
  'VlWW0S5ZJVNUm74RTK4R5fl8GJpk9tqyqbaplAq4qf0R2bl9qep8nXL+tRe29y7k5u9W90MOuvDMQXvtfpkxqjZIBQ8Ct141' +
  '/za7yi04vyuzpTf/FBWCr7h+VDSVMlR5iUD6Uu38LBGDx2PfPiWdFjEz7fbY9D7p3egphSRUVel5vI1jQhe0UoSdw1o5vuUn' +
  'uHZNhhnDC6EgMAwj3Z1GlqImoKMHdgs9W/tvDWI9tvGdfj8ydEb3wzHXCVv50tQUBffX5e4gcuJIpFPB4dp4n4csT+EXYIfc' +
  'an/dqOyDom2RMKh89FKQhBAqeyhIhYf8kjJUUqtPZjLtxgzXFXSlwbV4oylTlkf1cD4FxP9yzu6Kkuk6x04Q2dL8hTTy3LCH' +
  'z/2DcsutpbfrBxzipGsynXwCTZKuIB6Wi8//YJaQdhirgPbvU7HZiBk2tiSwqUnZXMRzjWdEO33cjDPZDHXrzOwCGVraV818' +
  'CbQ3wON/xa6bgwFEEW9Ektv6SS+anCT0SrNAaqzW9yVzNZumNTN0RJMlkW+J4Cp2X/JPA48Bj0yeAE2uowrYdZ0t1eewoi5H' +
  'i4ywcohAddzAwFkB3w162EP9oIq3DQvN30qPDqV7N9drBVlxHPua6w/BdEU55cuAnPJw2U8YPSHCYYcaPMbyTFtOQa6aVtbP' +
  'CV4On6VXbgwYArKMoOqMCkwlSYIwPZdpulgxmuRYm+5VlBtRHgkP1pc7e/OOumMS3IBDhR+iZI1focwmmHR6LG9iTD2RjYM6' +
  'WJBo3nAYpGzz5P2hYIf29VXxDZ0rqRkORXbY7c/uGYv5JrZNNJ8ln1lB5nNKJ7RL5HYLwjZ8SEOkVLRKMOqGg3mR7L/3+Z/e' +
  'a3dtujJorDlUG393VoLv1akelBMek8MIuVI64GSIBPNjTwnSRLdC6SAsvoKsZUoL2Bqia9/K9/Enw50w5xb2xUdKEJQeyOW9' +
  'gWvvP/xqhVy6sW/bBdeVnhh9+N7eAG3vXUK09iX1C71ckCrLLDdrT6k2iarXqptuQOrvPauyWpkQ/dpBjIyfqrhlyjq06ZA9' +
  'SZFjMDTFDZDHLz2ub5yjuSpFAkaCZcNEi0YtCaxWkwgudJJ3WF2m+VG/KjkHFmmrUJ9i3YZjrmmlMZatWkPeqmGv+ZPbwguz' +
  '9jT/87eTC9z9j7vG0dahYA94STThCGihxvSCdVZk1kZGPHtt1W2a/6RUdhvNZnZuGR0tdQgbdswY3bzaGSE6FIjz73jHlwLi' +
  'Gwt0aFu2H0Kn5nHNOT6OOmEOBucEgi48rIQt5JmCQDFqrNPs0eLrx7VDWCaleu/EKlZqNX0ZV5af/BtMepnFaC4tdem22mbM' +
  'WTBtaL1Z85nOpIi9r5ffDwzqsi0c50nP5bBKpwi3hOFoZyrt1c8Iv1Gsmj89KBRRRBFFFPGJoaKYdoooooj/R332KQ8m//mf' +
  'G+BaffwT'

const bits = inflateRawSync(Buffer.from(deflated, 'base64'))

export function takesTwoOctets(unit: number): boolean {
  return ((bits[unit >> 3]! >> (unit & 7)) & 1) === 1
}
