// Loaded before Portkey's server, which has no setting for its address and would
// listen on every one: it listens on loopback, and ends when its input does.
const { Server } = require("node:net");

const original = Server.prototype.listen;
Server.prototype.listen = function (first, ...rest) {
  if (first !== null && typeof first === "object") {
    return original.call(this, { ...first, host: "127.0.0.1" }, ...rest);
  }
  if (typeof rest[0] === "string") rest.shift();
  return original.call(this, first, "127.0.0.1", ...rest);
};

process.stdin.on("end", () => process.exit(0)).resume();
