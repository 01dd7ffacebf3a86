"""python -m grader train: a run of the package's runs.py, with a picture, a film, a checkpoint and its epochs."""

import os
import shlex
from dataclasses import dataclass
from pathlib import Path

from ..console import arguments as common
from ..course.commands import typed
from ..course.packages import load_package
from ..course.paths import LEARNER, ROOT
from ..course.usage import UsageError
from ..notebook.stub_stop import in_one_line

STOPPED = 130  # the exit code after Ctrl-C


@dataclass(frozen=True)
class Options:
    """The options given; None means the default: the folder runs/, as many epochs as the run has, data/mnist."""

    name: str
    package: Path = LEARNER
    out: Path | None = None
    epochs: int | None = None
    resume: bool = False
    data: Path | None = None
    seed: int = 0
    progress: bool = True
    net: str = ""

    def file(self, ending):
        """Where picture (png), film (html), checkpoint (npz) or table (csv) is. Each package and seed has its own."""
        usual = ROOT / "runs" if self.package == LEARNER else ROOT / "runs" / self.package.name
        seed, net = f"-seed{self.seed}" if self.seed else "", f"-{self.net}" if self.net else ""
        return shortest((self.out or usual) / f"{self.name}{net}{seed}.{ending}")

    def mnist(self):
        """The folder of MNIST's files."""
        return self.data or shortest(os.environ.get("BABYGRAD_MNIST") or ROOT / "data" / "mnist")

    def to_go_on(self):
        """What is typed to go on where it stopped."""
        given = {"--epochs": self.epochs, "--out": self.out, "--data": self.data, "--seed": self.seed or None}
        options = [f"{name} {value}" for name, value in given.items() if value is not None]
        package = [] if self.package == LEARNER else [f"PACKAGE={shlex.quote(str(shortest(self.package)))}"]
        arguments = shlex.quote(" ".join(["--resume", *options]))
        return typed(" ".join(["make train", self.what, *package, f"ARGS={arguments}"]))

    def to_start(self):
        """What is typed to begin."""
        return typed(f"make train {self.what}")

    @property
    def what(self):
        """Data and net, as they are typed."""
        return f"DATA={self.name} NET={self.net}" if self.net else f"DATA={self.name}"


def add_arguments(parser):
    add = parser.add_argument
    add("data", metavar="DATA", help="moons, digits, mnist, cities or manual")
    add("--net", default="", metavar="NET", help="conv for a net of filters, with digits and mnist")
    common.add_package(parser)
    add("--out", type=Path, metavar="DIR", help="for picture, film, checkpoint and table (default: runs/)")
    add("--epochs", type=common.number_from(1), metavar="N", help="how many in all (default: as many as the run has)")
    add("--resume", action="store_true", help="continue from the checkpoint, to the same numbers")
    add("--data", type=Path, dest="folder", metavar="DIR", help="MNIST's files (default: data/mnist)")
    add("--seed", type=common.number_from(0), default=0, metavar="N", help="of data, first weights and order")
    add("--no-progress", action="store_true", help="no progress bar")


def run(arguments):
    a = arguments
    package = common.package(a.package)
    return train(Options(a.data, package, a.out, a.epochs, a.resume, a.folder, a.seed, not a.no_progress, a.net))


def shortest(path):
    """The path as seen from here, if it is below here."""
    path = Path(path).resolve()
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path


def train(options):
    """Run the training, and report.  Returns the exit code.  Raises UsageError."""
    try:
        return carry_out(options)
    except (NotImplementedError, SyntaxError) as error:
        line = in_one_line(error, typed("make hint EX={}"))
        if not line:
            raise
        print(line)
    return 1


def carry_out(options):
    """Train, draw, and say where everything is.  Returns the exit code."""
    run, report, trainers = in_the_package(options)
    prepare_folder(options)
    try:
        split = run.split(options.seed, options.mnist())
    except (OSError, ValueError) as error:
        print(error)
        return 1
    epochs = options.epochs or run.epochs
    print(report.introduction(run, split, epochs))
    model = run.model(options.seed)
    trainer = trainer_of(run, model, options, trainers, report.extras(run, split, options.seed))
    train_loader, val_loader = run.loaders(split, options.seed)
    try:
        history = trainer.fit(train_loader, epochs, val_loader, options.resume)
    except (trainers.TrainingDiverged, trainers.CheckpointError) as error:
        print(error)
        save_film_so_far(trainer, options)
        return 1
    if history:
        save_picture(report, run, model, split, history, options)
        save_film(report, trainer, run, options)
        print(report.outcome(run, model, split, history))
        print(where_the_files_are(options))
    if trainer.interrupted:
        print(f"To continue: {options.to_go_on()}" if trainer.saved else f"To start: {options.to_start()}")
    return STOPPED if trainer.interrupted else 0


def in_the_package(options):
    """The run, what reports of it (train_net, for one), and the module of the Trainer, once the package is loaded.

    Raises UsageError where the package has a file less, or there is no such run.
    """
    load_package(options.package)
    try:
        from toolbox.training import runs, trainer

        from . import train_filters, train_net, train_text
    except ModuleNotFoundError as error:
        if not (error.name or "").startswith("babygrad"):
            raise
        raise UsageError(
            f"{options.package} has no babygrad/{error.name.rpartition('.')[2]}.py: {typed('make update')} brings in a "
            "newer course."
        ) from None
    if options.net not in runs.NETS:
        raise UsageError(f"There is no net {options.net!r}. NET=conv has filters; without NET it is the usual one.")
    known = runs.NETS[options.net]
    if options.name not in known:
        with_net = f" with NET={options.net}" if options.net else ""
        raise UsageError(f"There is no run {options.name!r}{with_net}. Choose from {', '.join(known)}.")
    run = known[options.name]
    filters = train_filters if options.net else train_net
    return run, train_text if hasattr(run, "corpus") else filters, trainer


def trainer_of(run, model, options, trainers, more):
    """A Trainer of this run.  more: what else it is given."""
    optimizer = run.optimizer(model)
    scheduler = run.scheduler(optimizer, options.epochs or run.epochs)
    files = dict(checkpoint=options.file("npz"), log=options.file("csv"))
    more |= dict(progress=options.progress, film=True, scheduler=scheduler)
    return trainers.Trainer(model, run.loss_fn, optimizer, **more, **files)


def prepare_folder(options):
    try:
        options.file("npz").parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"Nothing can be written to {options.file('npz').parent}: {error.strerror}.") from None


def where_the_files_are(options):
    endings = {"picture": "png", "film": "html", "checkpoint": "npz", "table": "csv"}
    return "\n".join([f"  {name:<12}{options.file(ending)}" for name, ending in endings.items()])


def save_film(report, trainer, run, options):
    """A page with the film of this run. One of an earlier run stays if this one had no step left to take."""
    if trainer.recording.moments or not options.file("html").exists():
        report.film(trainer, run).save(options.file("html"))


def save_film_so_far(trainer, options):
    """The film of a run that broke off, and where it is; of one that took no step there is none."""
    try:
        trainer.film().save(options.file("html"))
    except RuntimeError:  # nothing to show
        return
    print(f"What came before:\n  film        {options.file('html')}")


def save_picture(report, run, model, split, history, options):
    """One picture of two halves."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure = plt.figure(figsize=(11, 4.8), layout="constrained")
    report.draw(run, model, split, history, *figure.subfigures(1, 2, width_ratios=(1, 1.1)))
    figure.savefig(options.file("png"), dpi=130)
    plt.close(figure)
