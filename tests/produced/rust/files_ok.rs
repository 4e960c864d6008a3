// Files, lines, arguments, the environment, and a process.
// STDOUT: 3 lines, hello
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::process::Command;

fn main() -> std::io::Result<()> {
    let place = std::env::temp_dir().join(format!("irsan-rust-{}", std::process::id()));
    let mut file = File::create(&place)?;
    for at in 0..3 {
        writeln!(file, "line {at} of {}", std::env::args().count())?;
    }
    drop(file);
    let n_lines = BufReader::new(File::open(&place)?).lines().filter(|one| one.is_ok()).count();
    fs::remove_file(&place)?;
    let said = Command::new("/bin/echo").arg("hello").output()?;
    print!("{n_lines} lines, {}", String::from_utf8_lossy(&said.stdout));
    Ok(())
}
