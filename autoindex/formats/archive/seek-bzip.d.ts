/** The one function of seek-bzip 2 that is used; the package has no types of its own. */
declare module "seek-bzip" {
  interface ByteSource {
    readByte(): number;
    read(into: Uint8Array, offset: number, length: number): number;
    eof(): boolean;
  }
  interface ByteSink {
    writeByte(byte: number): void;
  }
  const Bunzip: { decode(input: ByteSource, output: ByteSink, multistream: boolean): void };
  export default Bunzip;
}
