import { describe, expect, test } from 'vitest';
import { clientAddress } from './caller';

describe('the address that a request is counted for', () => {
  test.each([
    ['without a proxy it is what the server itself wrote', '203.0.113.7', 0, '203.0.113.7'],
    ['entries that a client invented do not matter', '1.1.1.1, 2.2.2.2, 203.0.113.7', 0, '203.0.113.7'],
    ['behind one proxy it is what that proxy saw', '1.1.1.1, 203.0.113.7', 1, '203.0.113.7'],
    ['behind two it is what the outer one saw', '1.1.1.1, 203.0.113.7, 10.0.0.2', 2, '203.0.113.7'],
    ['a request that came past the proxies has none to believe', '203.0.113.7', 2, 'unknown'],
    ['a port is no part of it', '203.0.113.7:41234', 0, '203.0.113.7'],
    ['IPv4 in IPv6 is IPv4', '::ffff:203.0.113.7', 0, '203.0.113.7'],
    ['IPv6 counts by /56', '2001:db8:1:2fe:aaaa:bbbb:cccc:dddd', 0, '2001:db8:1:200::/56'],
    ['whose last network it may be', '2001:db8:1:2ff::1', 0, '2001:db8:1:200::/56'],
    ['and not the next one', '2001:db8:1:300::1', 0, '2001:db8:1:300::/56'],
    ['however it is written', '[2001:0DB8:0001:0200::1]:443', 0, '2001:db8:1:200::/56'],
    ['with zeros left out in front', '2001:db8::1', 0, '2001:db8:0:0::/56'],
    ['on this machine', '::1', 0, '0:0:0:0::/56'],
    ['what is no address is not believed', 'x'.repeat(500), 0, 'unknown'],
    ['nor is nothing', null, 0, 'unknown'],
  ])('%s: %s behind %i', (_, forwarded, proxies, address) => {
    expect(clientAddress(forwarded, proxies)).toBe(address);
  });
});
