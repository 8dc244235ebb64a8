"""Work over many things is shared among processes, and comes to the same as in one."""

from __future__ import annotations

import os
import threading
from datetime import timedelta

import pytest
from django.db import connection, transaction

from sewershed.ledger import actions, clock, queries, sharing, working
from sewershed.ledger.errors import LedgerError, NotFound
from sewershed.ledger.models import Obligation, Thing
from sewershed.ledger.sharing import shared
from tests.ledger.conftest import NOW

THINGS = [f"t{n}" for n in range(7)]


@pytest.fixture
def in_two(monkeypatch, town):
    """Shares whatever there is among two processes; what else runs beside the tests is overlooked."""
    monkeypatch.setattr(sharing, "LEAST", 2)
    monkeypatch.setattr(sharing, "_cores", lambda: 2)
    monkeypatch.setattr(threading, "active_count", lambda: 1)


def worker(part):
    return os.getpid(), list(part)


def test_each_thing_is_worked_out_once_and_half_of_them_elsewhere(in_two):
    (here, own), (there, others) = shared(THINGS, worker)
    assert here == os.getpid() != there
    assert sorted(own + others) == THINGS
    assert len(own) - len(others) == 1
    with pytest.raises(ChildProcessError):
        os.waitpid(there, 0)  # nothing is left behind


def test_few_things_one_core_other_threads_and_transactions_stay_here(in_two, monkeypatch):
    alone = [(os.getpid(), THINGS)]
    with transaction.atomic():
        assert shared(THINGS, worker) == alone
    monkeypatch.setattr(threading, "active_count", lambda: 2)
    assert shared(THINGS, worker) == alone
    monkeypatch.setattr(threading, "active_count", lambda: 1)
    monkeypatch.setattr(sharing, "LEAST", len(THINGS))
    assert len(shared(THINGS, worker)) == 2
    monkeypatch.setattr(sharing, "LEAST", len(THINGS) + 1)
    assert shared(THINGS, worker) == alone
    monkeypatch.setattr(sharing, "LEAST", 2)
    monkeypatch.setattr(sharing, "_cores", lambda: 1)
    assert shared(THINGS, worker) == alone


def test_what_fails_in_a_child_is_raised_here(in_two):
    parent = os.getpid()

    def fail(part):
        if os.getpid() != parent:
            raise NotFound("there is no thing t1")
        return part

    with pytest.raises(NotFound, match="there is no thing t1"):
        shared(THINGS, fail)


def test_what_fails_here_leaves_no_child(in_two, monkeypatch):
    parent, begin, children = os.getpid(), sharing._begin, []

    def noted(part, work):
        children.append(begin(part, work))
        return children[-1]

    def fail(part):
        if os.getpid() == parent:
            raise NotFound("not here")
        return part

    monkeypatch.setattr(sharing, "_begin", noted)
    with pytest.raises(NotFound, match="not here"):
        shared(THINGS, fail)
    assert len(children) == 1
    with pytest.raises(ChildProcessError):
        os.waitpid(children[0][0], os.WNOHANG)


def test_a_child_that_dies_is_told(in_two):
    parent = os.getpid()

    def die(part):
        if os.getpid() != parent:
            os._exit(7)
        return part

    with pytest.raises(LedgerError, match="came to grief; is there memory enough"):
        shared(THINGS, die)


def test_a_child_leaves_its_parents_connection_alone(in_two):
    Thing.objects.count()
    parent = os.getpid()

    def ask(part):
        return connection.connection is None if os.getpid() != parent else part

    assert shared(THINGS, ask)[1] is True
    assert Thing.objects.filter(id="town").exists()  # ours still answers


def test_a_town_worked_out_in_two_is_as_in_one(in_two, admin, monkeypatch):
    with actions.together():
        for number in range(9):
            yard = actions.set_facts("", {"address": f"{number} Ash Street"}, as_account=admin, type="yard").thing
            actions.record("complaint", yard, as_account=admin, at=(NOW - timedelta(days=number)).isoformat())
    monkeypatch.setattr(sharing, "LEAST", 10_000)
    working.recompute()
    alone = list(Obligation.objects.order_by("key").values_list())
    day = clock.now() - timedelta(days=4)
    asked_alone = queries.due(as_account=admin, as_of=day)
    assert alone
    monkeypatch.setattr(sharing, "LEAST", 2)
    assert working.recompute().differences == ()
    assert list(Obligation.objects.order_by("key").values_list()) == alone
    assert queries.due(as_account=admin, as_of=day) == asked_alone
