// The barest socket server there is, in a process of its own: it says back what it is told.
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';

const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
server.on('connection', (socket) => {
  socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary }));
});
server.on('listening', () => process.send?.((server.address() as AddressInfo).port));
process.once('disconnect', () => process.exit(0));
