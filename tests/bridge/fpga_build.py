"""fpga_build.py PORT WORD=VALUE... - stands between a host and the virtual board at UDP
port PORT of this machine, and says of it that it was built otherwise: word WORD of the
answer to HELLO (rtl/include/igpu_link.vh) is VALUE. Prints its own port; runs until it is
ended."""
import socket
import struct
import sys
import zlib

HELLO, DATA_AT = 2, 12  # type of frame; where the payload begins


def other(frame, changes):
    """The board's frame, as a board that was built otherwise would send it."""
    head, = struct.unpack_from("<I", frame)
    if head >> 12 & 15 != HELLO:
        return frame
    changed = bytearray(frame)
    for word, value in changes:
        struct.pack_into("<I", changed, DATA_AT + 4 * word, value)
    struct.pack_into("<I", changed, len(frame) - 4, zlib.crc32(changed[:-4]))
    return bytes(changed)


def main(board, changes):
    """Frames both ways."""
    port = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    port.bind(("127.0.0.1", 0))
    print(port.getsockname()[1], flush=True)
    host = None
    while True:
        frame, sender = port.recvfrom(65536)
        if sender[1] != board:
            host = sender
            port.sendto(frame, ("127.0.0.1", board))
        elif host is not None:
            port.sendto(other(frame, changes), host)


main(int(sys.argv[1]), [tuple(int(n, 0) for n in a.split("=")) for a in sys.argv[2:]])
